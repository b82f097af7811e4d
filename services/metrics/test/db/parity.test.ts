/**
 * The SQL on the real engine against a naive evaluator over the same documents, for every resource. A failing request is
 * shrunk to the smallest one that fails. All 2,000: `MERX_PARITY_REQUESTS=2000 npm run jest -- services/metrics/test/db/parity`;
 * other ones: `MERX_PARITY_SEED`.
 */
import type { OrderDocument } from '@merx/order-feed/order-document'
import fc from 'fast-check'
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { toRowsReturns } from '../../src/ingest/return-rows.ts'
import { createCursorCodec } from '../../src/request/cursor.ts'
import { answerQuery } from '../../src/run/answer-query.ts'
import { exportRecords } from '../../src/run/export-records.ts'
import type { QueryDeps, QueryRequest } from '../../src/run/plan-query.ts'
import { arbitraryRequest, underCartAlias, type ArbitraryRequest } from '../support/arbitrary-request.ts'
import { makeDocuments, MARKETS, ORGANIZATIONS } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { parseCsv } from '../support/oracle-record.ts'
import { toReturnViews, toView } from '../support/oracle-view.ts'
import { evaluate } from '../support/oracle.ts'
import { resourceData, type ResourceName } from '../support/resource-data.ts'
import { texts } from '../support/text-queries.ts'

const SEED = Number(process.env.MERX_PARITY_SEED ?? 7)
const REQUESTS = Number(process.env.MERX_PARITY_REQUESTS ?? 300)

/** Every third record has the first instant of a month in common with others. */
const withTies = (document: OrderDocument, index: number): OrderDocument => {
  const cut = (at: string | null) => (at === null ? at : `${at.slice(0, 7)}-01T00:00:00.000Z`)
  if (index % 3 > 0) return document
  const { created_at, placed_at, approved_at, cancelled_at, updated_at } = document
  return {
    ...document,
    created_at: `${created_at.slice(0, 7)}-01T00:00:00.000Z`,
    updated_at: `${updated_at.slice(0, 7)}-01T00:00:00.000Z`,
    placed_at: cut(placed_at),
    approved_at: cut(approved_at),
    cancelled_at: cut(cancelled_at),
  }
}

const documents = makeDocuments(SEED, 300).map(withTies)
const cursors = createCursorCodec(Buffer.from('parity'))
const budget = { timeoutMs: 20_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 50_000 }
const catalogue = loadCatalogue()
const NOW = new Date('2022-01-01')

let store: TestStore

beforeAll(async () => {
  store = await openStore()
  await store.engine.insert('orders', documents.map(toRowOrder))
  await store.engine.insert('returns', documents.flatMap(toRowsReturns))
})

afterAll(async () => {
  await store.close()
})

const orderViews = documents.map(toView)
const views = { orders: orderViews, carts: orderViews, returns: documents.flatMap(toReturnViews) }

const scopes = [
  { organizationId: ORGANIZATIONS[0].id, mode: 'test' },
  { organizationId: ORGANIZATIONS[0].id, mode: 'test', marketIds: [MARKETS[0].id, MARKETS[2].id] },
  { organizationId: ORGANIZATIONS[0].id, mode: 'test', storeId: 'storeAAAAA' },
  { organizationId: ORGANIZATIONS[1].id, mode: 'live' },
] as const

type Scope = (typeof scopes)[number]

/** Where queries run: pages with their count from one statement, and from two as on a cluster. */
const LAYOUTS = ['single', 'cluster'] as const
type Layout = (typeof LAYOUTS)[number]

const depsOf = ({ dialect }: ArbitraryRequest, layout: Layout = 'single'): QueryDeps => ({
  engineFor: () => store.engine,
  isCluster: layout === 'cluster',
  dialect,
  cursors,
  clock: { now: () => NOW },
  budget,
})

const requestOf = (name: ResourceName, { kind, body }: ArbitraryRequest, scope: Scope): QueryRequest => {
  const resource = catalogue.get(name)
  if (resource === undefined) throw new Error(`no ${name}`)
  return { kind, resource, body, scope, mayRead: () => true, signal: new AbortController().signal }
}

const ask = async (name: ResourceName, request: ArbitraryRequest, scope: Scope, layout?: Layout) =>
  answerQuery(depsOf(request, layout))(requestOf(name, request, scope))

/** The cells of an export. */
const askExport = async (name: ResourceName, request: ArbitraryRequest, scope: Scope) => {
  let text = ''
  const lines = await exportRecords(depsOf(request))(requestOf(name, request, scope))
  for await (const part of lines) text += part
  return parseCsv(text)
}

/** Records of every page, following the cursors. */
const askAllPages = async (name: ResourceName, request: ArbitraryRequest, scope: Scope, layout: Layout) => {
  const records: unknown[] = []
  let cursor: string | null | undefined
  let total: number | undefined
  do {
    const search = { ...(request.body.search as object), ...(cursor === undefined ? {} : { cursor }) }
    const page = await ask(name, { ...request, body: { ...request.body, search } }, scope, layout)
    records.push(...(page.data as readonly unknown[]))
    total ??= page.pagination?.record_count
    expect(page.pagination?.record_count).toBe(total)
    cursor = page.pagination?.cursor
  } while (cursor !== null)
  expect(records).toHaveLength(total ?? 0)
  return records
}

const given = async (
  name: ResourceName,
  request: ArbitraryRequest,
  scope: Scope,
  layout: Layout,
): Promise<unknown> => {
  if (request.kind === 'search') return askAllPages(name, request, scope, layout)
  if (request.kind === 'export') return askExport(name, request, scope)
  return (await ask(name, request, scope)).data
}

const unchanged = <T>(value: T): T => value

const shares: Readonly<Record<ResourceName, number>> = { orders: 0.5, carts: 0.2, returns: 0.3 }

describe('the engine returns what the naive evaluator returns', () => {
  it.each(Object.entries(shares) as [ResourceName, number][])(
    'on %s',
    async (name, share) => {
      const { filters, record, population, attributes } = resourceData[name]
      const pathsFor = (use: 'search' | 'export') =>
        Object.keys(attributes).filter((path) => attributes[path]?.[use] === true)
      const shown = { searchable: pathsFor('search'), exportable: pathsFor('export') }
      const about = { views: views[name], record, population, filters, texts, now: NOW, ...shown }
      const property = fc.asyncProperty(
        arbitraryRequest(resourceData[name], views[name]),
        fc.constantFrom(...scopes),
        fc.constantFrom(...LAYOUTS),
        fc.boolean(),
        async (request, scope, layout, isAliased) => {
          const expected = evaluate(request.kind, request.body, { ...about, scope })
          const renamed = name === 'carts' && isAliased ? underCartAlias : unchanged
          expect(await given(name, renamed(request), scope, layout)).toEqual(renamed(expected))
        },
      )
      await fc.assert(property, { seed: SEED, numRuns: Math.ceil(REQUESTS * share) })
    },
    60_000 + REQUESTS * 500,
  )
})
