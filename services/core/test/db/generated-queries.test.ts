/** Filters, sorts, pages and includes nobody wrote down: SQL against the obvious evaluation in memory. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import type { Linked } from '@merx/jsonapi/record'
import fc from 'fast-check'
import { resources } from '../../src/resources/index.ts'
import type { OpenRecord } from '../../src/store/records.ts'
import { arbitraryQuery } from '../support/arbitrary-query.ts'
import type { ArbitraryQuery } from '../support/arbitrary-query.ts'
import { matches } from '../support/naive-filter.ts'
import type { Tables } from '../support/naive-filter.ts'
import { openStore } from '../support/open-store.ts'
import type { TestStore } from '../support/open-store.ts'

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
  return toNumber(a) - toNumber(b)
}

const toNumber = (value: unknown): number => (value instanceof Date ? value.getTime() : Number(value))

/** The numbers of the rows that a relationship of a row leads to. */
const relatedNumbers = (row: Row, name: string, definition: ResourceDefinition): readonly unknown[] => {
  const relationship = definition.relationships[name]
  if (relationship?.kind === 'toOne') return [row[foreignKeyOf(name, relationship)] ?? null]
  if (relationship?.kind !== 'toMany') throw new Error(`${name} is not among the generated includes`)
  const target = store.registry.require(relationship.target)
  const inverse = relationship.inverse ?? ''
  const back = target.relationships[inverse]
  if (back?.kind !== 'toOne') throw new Error(`${name} has no plain inverse`)
  return (tables.get(target.table) ?? [])
    .filter((other) => other[foreignKeyOf(inverse, back)] === row['id'])
    .map(({ id }) => id)
}

const numbersOf = (linked: Linked | undefined): readonly unknown[] => {
  const list = Array.isArray(linked)
    ? (linked as readonly OpenRecord[])
    : [linked as OpenRecord | null | undefined]
  return list.map((record) => record?.number ?? null)
}

const naive = ({ type, text, sorts, number, size }: ArbitraryQuery) => {
  const definition = store.registry.require(type)
  const { filters } = parseListQuery(text, definition, store.registry)
  const rows = (tables.get(definition.table) ?? []).filter((row) => matches(row, filters, tables))
  const sorted = rows.toSorted(compareBy(sorts, definition))
  return { count: rows.length, page: sorted.slice((number - 1) * size, number * size), definition }
}

/** Types whose rows are not records of their own environment's tables alone, or that a list shows in part. */
const APART = ['attachments', 'events', 'event_stores', 'exports', 'imports', 'versions']

const TYPES = resources
  .filter(
    ({ type, operations, isPlanned }) => operations.includes('list') && !isPlanned && !APART.includes(type),
  )
  .map(({ type }) => type)

test.each(TYPES)('%s', async (type) => {
  const definition = store.registry.require(type)
  await fc.assert(
    fc.asyncProperty(arbitraryQuery(definition, store.registry, tables), async (query) => {
      const found = await store.list(type, query.text)
      const expected = naive(query)
      expect(found.recordCount).toBe(expected.count)
      expect(found.records.map(({ number }) => number)).toEqual(expected.page.map(({ id }) => id))
      for (const record of found.records) {
        expect([...record.linked.keys()].sort()).toEqual([...query.includes].sort())
        for (const name of query.includes) {
          expect(numbersOf(record.linked.get(name))).toEqual(
            relatedNumbers(record.row, name, expected.definition),
          )
        }
      }
    }),
    { numRuns: RUNS, seed: 20_261_121 },
  )
})
