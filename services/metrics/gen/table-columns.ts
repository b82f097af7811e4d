/**
 * Adds the columns of the list of order fields that tables/*.sql lack, and the number of the new shape to tables/shapes.json:
 * `node services/metrics/gen/table-columns.ts`. What is there stays as it is: another type or order would be another shape.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { FieldColumn } from '../src/ingest/columns.ts'
import { columnType, TABLE_COLUMNS, type TableColumns } from '../src/ingest/order-columns.ts'
import { columnTypes } from '../src/store/column-types.ts'
import { FED_TABLES, fingerprintOf, shapes, type FedTable } from '../src/store/table-definitions.ts'

const fileOf = (name: string): URL => new URL(`../tables/${name}`, import.meta.url)

/** Numbers and dates take half the bits with it (docs/adr/0052-partitions-by-quarter.md); items of lists have none. */
const codecOf = ({ leaf: { kind } }: FieldColumn): string =>
  kind === 'count' || kind === 'cents' || kind === 'instant' ? ' CODEC(T64)' : ''

const before = (text: string, mark: RegExp, lines: readonly string[]): string =>
  text.replace(mark, (found) => `${lines.map((line) => `${line}\n`).join('')}${found}`)

/** The definition with a line for each column that it lacks: before the first list, or at the beginning of its list. */
export const withMissingColumns = (definition: string, { own, lists }: TableColumns): string => {
  const known = columnTypes(definition)
  const missing = own.filter(({ name }) => !known.has(name))
  const ownLines = missing.map((column) => `    \`${column.name}\` ${columnType(column)}${codecOf(column)},`)
  return Object.entries(lists).reduce(
    (text, [list, columns]) => {
      const lines = columns
        .filter(({ name }) => !known.has(`${list}.${name}`))
        .map((column) => `        \`${column.name}\` ${columnType(column)},`)
      const begin = `    \`${list}\` Nested(\n`
      return text.replace(begin, () => `${begin}${lines.map((line) => `${line}\n`).join('')}`)
    },
    before(definition, /^ {4}`\w+` Nested\($/m, ownLines),
  )
}

const write = (): void => {
  const texts = Object.fromEntries(
    FED_TABLES.map((table) => {
      const text = readFileSync(fileOf(`${table}.sql`), 'utf8')
      return [table, withMissingColumns(text, TABLE_COLUMNS[table])]
    }),
  ) as Record<FedTable, string>
  for (const table of FED_TABLES) writeFileSync(fileOf(`${table}.sql`), texts[table])
  const fingerprint = fingerprintOf(texts)
  if (shapes.at(-1) === fingerprint) return
  writeFileSync(fileOf('shapes.json'), `${JSON.stringify([...shapes, fingerprint], undefined, 2)}\n`)
}

if (import.meta.main) write()
