/** Filters, sorts, pages and includes nobody wrote down: SQL against the obvious evaluation in memory. */
import type { RenderContext, Row } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import type { ListQuery } from '@merx/jsonapi/query'
import type { Linked } from '@merx/jsonapi/record'
import { renderCollection } from '@merx/jsonapi/render-document'
import type { ResourceIdentifier } from '@merx/jsonapi/render-resource'
import fc from 'fast-check'
import { resources } from '../../../src/areas.ts'
import type { OpenRecord } from '../../../src/engine/read/records.ts'
import { arbitraryQuery } from '../../support/arbitrary-query.ts'
import type { ArbitraryQuery } from '../../support/arbitrary-query.ts'
import { compareTexts, matches } from '../../support/naive-filter.ts'
import type { Tables } from '../../support/naive-filter.ts'
import { openStore } from '../../support/open-store.ts'
import type { TestStore } from '../../support/open-store.ts'

let store: TestStore
let tables: Tables

beforeAll(async () => {
  store = await openStore('generated_queries')
  tables = await store.tables()
})
afterAll(() => store.close())

const RUNS = 100

/** Nulls are the greatest values; the number breaks ties. */
const compareBy =
  (sorts: readonly string[], { attributes }: ResourceDefinition) =>
  (a: Row, b: Row): number => {
    for (const sort of sorts) {
      const name = sort.replace('-', '')
      const attribute = attributes[name]
      const column = attribute === undefined ? name : columnOf(name, attribute)
      const difference = compare(a[column] ?? null, b[column] ?? null)
      if (difference !== 0) return sort.startsWith('-') ? -difference : difference
    }
    return Number(a['id']) - Number(b['id'])
  }

const compare = (a: unknown, b: unknown): number => {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  return toNumber(a) - toNumber(b)
}

const toNumber = (value: unknown): number => (value instanceof Date ? value.getTime() : Number(value))

interface Related {
  readonly definition: ResourceDefinition
  readonly rows: readonly Row[]
}

/** The rows that a relationship of a row leads to. */
const relatedTo = (row: Row, name: string, { relationships }: ResourceDefinition): Related => {
  const relationship = relationships[name]
  if (relationship === undefined || relationship.kind === 'polymorphicToOne')
    throw new Error(`${name} is not among the generated includes`)
  const definition = store.registry.require(relationship.target)
  const rows = tables.get(definition.table) ?? []
  if (relationship.kind === 'toOne') {
    const number = row[foreignKeyOf(name, relationship)] ?? null
    return { definition, rows: rows.filter(({ id }) => id === number) }
  }
  const inverse = relationship.inverse ?? ''
  const back = definition.relationships[inverse]
  if (back?.kind !== 'toOne') throw new Error(`${name} has no plain inverse`)
  return { definition, rows: rows.filter((other) => other[foreignKeyOf(inverse, back)] === row['id']) }
}

/** Record → relationship → the records it leads to; by table and number, as one row is one record of a document. */
type Linkage = Map<string, Map<string, readonly string[]>>

const keyOf = ({ table }: ResourceDefinition, number: unknown): string => `${table} ${String(number)}`

/** What each row must be linked to when these paths are included from these rows. */
const linkagesFrom = (
  rows: readonly Row[],
  definition: ResourceDefinition,
  paths: readonly string[],
  into: Linkage = new Map(),
): Linkage => {
  for (const row of rows) {
    const key = keyOf(definition, row['id'])
    const linked = into.get(key) ?? new Map<string, readonly string[]>()
    into.set(key, linked)
    for (const path of paths) {
      const [name = '', ...rest] = path.split('.')
      const related = relatedTo(row, name, definition)
      const keys = related.rows.map(({ id }) => keyOf(related.definition, id))
      linked.set(name, keys)
      linkagesFrom(related.rows, related.definition, rest.length > 0 ? [rest.join('.')] : [], into)
    }
  }
  return into
}

/** The same of records as they were read. */
const linkagesOf = (records: readonly OpenRecord[]): Linkage => {
  const found: Linkage = new Map()
  const queue = [...records]
  for (const record of queue) {
    const key = keyOf(record.definition, record.number)
    if (found.has(key)) continue
    const lists = [...record.linked].map(([name, linked]) => [name, toList(linked)] as const)
    found.set(
      key,
      new Map(lists.map(([name, list]) => [name, list.map((one) => keyOf(one.definition, one.number))])),
    )
    queue.push(...lists.flatMap(([, list]) => list))
  }
  return found
}

const toList = (linked: Linked): readonly OpenRecord[] =>
  [linked].flat().filter((record): record is OpenRecord => record !== null)

const CONTEXT: RenderContext = {
  mode: 'test',
  organizationId: 'enWoxFMOnp',
  baseUrl: '',
  isConfidential: false,
  customClaim: undefined,
  fileUrl: (job) => String(job['file_key']),
}

/** The identifiers of a document: of its data, of what is included, and of what linkage names. */
const identifiersOf = (
  query: ListQuery,
  page: { readonly records: readonly OpenRecord[]; readonly recordCount: number },
) => {
  const { data, included = [] } = renderCollection(page, CONTEXT, query, '/api/x')
  const nameOf = ({ type, id }: ResourceIdentifier): string => `${type} ${id}`
  const linked = [...data, ...included].flatMap(({ relationships = {} }) =>
    Object.values(relationships).flatMap(({ data: linkage }) =>
      [linkage ?? []].flat().map((identifier) => nameOf(identifier as ResourceIdentifier)),
    ),
  )
  return { data: data.map(nameOf), included: included.map(nameOf), linked }
}

const naive = ({ type, text, sorts, includes, number, size }: ArbitraryQuery) => {
  const definition = store.registry.require(type)
  const { filters } = parseListQuery(text, definition, store.registry)
  const rows = (tables.get(definition.table) ?? [])
    .filter((row) => definition.memberOf === undefined || row['type'] === undefined || row['type'] === type)
    .filter((row) => matches(row, filters, tables))
  const sorted = rows.toSorted(compareBy(sorts, definition))
  const page = sorted.slice((number - 1) * size, number * size)
  return { count: rows.length, page, linkages: linkagesFrom(page, definition, includes) }
}

/** Types whose rows are not records of their own environment's tables alone, or that a list shows in part. */
const APART = ['attachments', 'events', 'event_stores', 'exports', 'imports', 'versions']

const TYPES = resources
  .filter(({ type, operations }) => operations.includes('list') && !APART.includes(type))
  .map(({ type }) => type)

test.each(TYPES)('%s', async (type) => {
  const definition = store.registry.require(type)
  await fc.assert(
    fc.asyncProperty(arbitraryQuery(definition, store.registry, tables), async (query) => {
      const found = await store.list(type, query.text)
      const expected = naive(query)
      expect(found.recordCount).toBe(expected.count)
      expect(found.records.map(({ number }) => number)).toEqual(expected.page.map(({ id }) => id))
      expect(linkagesOf(found.records)).toEqual(expected.linkages)
      const { data, included, linked } = identifiersOf(
        parseListQuery(query.text, definition, store.registry),
        found,
      )
      // Once each and not what the page has already; nothing that no linkage leads to (JSON:API 1.1, Compound Documents).
      expect(new Set([...data, ...included]).size).toBe(expected.linkages.size)
      expect(data.length + included.length).toBe(expected.linkages.size)
      expect(included.filter((name) => !linked.includes(name))).toEqual([])
      expect(linked.filter((name) => !data.includes(name) && !included.includes(name))).toEqual([])
    }),
    { numRuns: RUNS, seed: 20_261_121 },
  )
})
