/**
 * The columns of shared records that documents of orders show, from the list of order fields. Triggers read them from the table
 * `order_feed_columns`: a change of such a column sends the orders of the record again (migration order_feed_columns).
 */
import type { Queryable } from '../engine/database/database.ts'
import * as queries from './document-queries.ts'

/** Records that many orders show. Any change of an order's own tables reaches its document, whatever column it is of. */
const SHARED = new Set([
  'addresses',
  'customer_groups',
  'customers',
  'environments',
  'markets',
  'payment_methods',
  'shipping_categories',
  'shipping_methods',
  'stock_locations',
])

/** Keys never change, and whose orders they are is part of what an order is. */
const FIXED = new Set(['id', 'environment_id', 'organization_id', 'mode'])

export interface WatchedColumn {
  readonly table: string
  readonly column: string
}

/** `alias.column` of everything that the statement names, aliases resolved; quoted names are those of the result. */
const columnsIn = (statement: string): readonly WatchedColumn[] => {
  const text = statement.replaceAll(/"[^"]*"/g, '')
  const joined = text.matchAll(/\b(?:FROM|JOIN) (\w+)(?: AS (\w+))?/g)
  const tables = new Map([...joined].map(([, table = '', alias]) => [alias ?? table, table]))
  return [...text.matchAll(/\b(\w+)\.(\w+)/g)].flatMap(([, alias = '', column = '']) => {
    const table = tables.get(alias)
    return table === undefined ? [] : [{ table, column }]
  })
}

export const watchedColumns = (): readonly WatchedColumn[] => {
  const found = Object.values(queries)
    .flatMap(columnsIn)
    .filter(({ table, column }) => SHARED.has(table) && !FIXED.has(column))
  const unique = new Map(found.map((one) => [`${one.table}.${one.column}`, one]))
  return [...unique.keys()].toSorted().flatMap((name) => unique.get(name) ?? [])
}

/** Adds what is missing; columns that an older release shows stay, so that both may run during an upgrade. */
export const watchColumns = async (database: Pick<Queryable, 'query'>): Promise<void> => {
  const columns = watchedColumns()
  await database.query(
    `INSERT INTO order_feed_columns (table_name, column_name)
     SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
    [columns.map(({ table }) => table), columns.map(({ column }) => column)],
  )
}
