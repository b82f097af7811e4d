/** The SQL on the real engine against a naive evaluator over the same documents. */
import { answer } from '../../src/answer.ts'
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { createCursorCodec } from '../../src/request/cursor.ts'
import { makeDocuments, MARKETS, ORGANIZATIONS } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { toView } from '../support/oracle-view.ts'
import { evaluate } from '../support/oracle.ts'
import { makeRequest, ordersData, texts, type RandomRequest } from '../support/random-query.ts'
import { createRandom } from '../support/random.ts'

const SEED = Number(process.env.MERX_PARITY_SEED ?? 7)
const REQUESTS = Number(process.env.MERX_PARITY_REQUESTS ?? 400)
const documents = makeDocuments(SEED, 300)
const cursors = createCursorCodec(Buffer.from('parity'))
const budget = { timeoutMs: 20_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 50_000 }

let store: TestStore

beforeAll(async () => {
  store = await openStore()
  await store.engine.insert('orders', documents.map(toRowOrder))
})

afterAll(async () => {
  await store.close()
})

const scopes = [
  { organizationId: ORGANIZATIONS[0].id, mode: 'test' },
  { organizationId: ORGANIZATIONS[0].id, mode: 'test', marketIds: [MARKETS[0].id, MARKETS[2].id] },
  { organizationId: ORGANIZATIONS[1].id, mode: 'live' },
] as const

type Scope = (typeof scopes)[number]

const ask = async ({ kind, dialect, body }: RandomRequest, scope: Scope) => {
  const deps = {
    engine: store.engine,
    dialect,
    cursors,
    clock: { now: () => new Date('2022-01-01') },
    budget,
  }
  const resource = loadCatalogue().get('orders')
  if (resource === undefined) throw new Error('no orders')
  return answer(deps)(kind, resource, body, scope, new AbortController().signal)
}

/** Ids of every page, following the cursors. */
const askAllPages = async (request: RandomRequest, scope: Scope) => {
  const ids: string[] = []
  let cursor: string | null | undefined
  do {
    const search = { ...(request.body.search as object), ...(cursor === undefined ? {} : { cursor }) }
    const page = await ask({ ...request, body: { ...request.body, search } }, scope)
    ids.push(...(page.data as { id: string }[]).map(({ id }) => id))
    expect(page.pagination?.record_count).toBeGreaterThanOrEqual(ids.length)
    cursor = page.pagination?.cursor
  } while (cursor !== null)
  return ids
}

describe('the engine answers as the naive evaluator does', () => {
  const random = createRandom(SEED)
  const views = documents.map(toView)
  const requests = Array.from({ length: REQUESTS }, (_, index) => ({
    index,
    scope: scopes[index % 5 === 0 ? 1 : index % 7 === 0 ? 2 : 0],
    request: makeRequest(random, views),
  }))

  it.each(requests.map((one) => [`${one.index} ${one.request.kind}`, one] as const))(
    'request %s',
    async (_name, { request, scope }) => {
      const expected = evaluate(request.kind, request.body, {
        documents,
        scope,
        filters: ordersData.filters,
        texts,
      })
      try {
        const isSearch = request.kind === 'search'
        expect(isSearch ? await askAllPages(request, scope) : (await ask(request, scope)).data).toEqual(
          expected,
        )
      } catch (error) {
        throw new Error(`${JSON.stringify({ request, scope, error })}\n${(error as Error).message}`)
      }
    },
  )
})
