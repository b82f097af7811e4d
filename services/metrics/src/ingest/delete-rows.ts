/** Writes deletions: rows of a higher version that are marked deleted, made from the rows that they replace. */
import { WRITE_SETTINGS } from '../engine/insert-lines.ts'
import { nameEnvironment } from '../sql/environment.ts'
import type { Statement } from '../sql/statement.ts'
import type { TableNames } from '../store/tables.ts'
import type { EntryFacts, PreparedEntry } from './prepare-page.ts'

/** A cluster is read where it was written, so that a recent row is found. */
const INSERT = (table: string, columns: string, generation: number | undefined): string =>
  `INSERT INTO ${table} (${columns}${generation === undefined ? '' : ', generation'}) SETTINGS ${WRITE_SETTINGS.join(', ')}`

const valueOf = (generation: number | undefined): string =>
  generation === undefined ? '' : `, ${generation}`

/** A deletion knows no creation date, which is part of the sorting key. */
const deleteOrders = ({ orders }: TableNames, generation: number | undefined): string =>
  `${INSERT(orders, 'organization_id, mode, created_at, id, version, is_deleted', generation)}
SELECT organization_id, mode, created_at, id, {versions:Array(UInt64)}[indexOf({orders:Array(String)}, id)], 1${valueOf(generation)}
FROM ${orders} FINAL
WHERE environment = {environment:String} AND id IN {orders:Array(String)}`

/** Returns that the document of their order no longer has, or whose order was deleted. */
const deleteReturns = ({ returns }: TableNames, generation: number | undefined): string =>
  `${INSERT(returns, 'organization_id, mode, order_id, id, version, is_deleted', generation)}
SELECT organization_id, mode, order_id, id, {versions:Array(UInt64)}[indexOf({orders:Array(String)}, order_id)], 1${valueOf(generation)}
FROM ${returns} FINAL
WHERE environment = {environment:String} AND order_id IN {orders:Array(String)}
AND id NOT IN {present:Array(String)}`

/** Orders and returns that one statement names: with many more it would be longer than the engine reads, 256 KiB. */
const NAMES_MAX = 5_000

/** The entries in their order, in groups of as many as one statement may name. */
const toShares = (entries: readonly EntryFacts[]): readonly (readonly EntryFacts[])[] => {
  const shares: EntryFacts[][] = []
  let names = Infinity
  for (const entry of entries) {
    names += 1 + entry.returnIds.length
    if (names > NAMES_MAX) {
      shares.push([])
      names = 1 + entry.returnIds.length
    }
    shares.at(-1)?.push(entry)
  }
  return shares
}

/** The entries of one statement: of one environment, and not too many. */
const byStatement = (entries: readonly EntryFacts[]): readonly (readonly EntryFacts[])[] =>
  [...Map.groupBy(entries, nameEnvironment).values()].flatMap(toShares)

const paramsOf = (entries: readonly EntryFacts[]) => ({
  environment: entries[0] === undefined ? '' : nameEnvironment(entries[0]),
  orders: entries.map(({ id }) => id),
  versions: entries.map(({ version }) => version),
})

/** An order in its first version never had another state, so the store has no outdated return of it. */
const FIRST_VERSION = 1

/**
 * Marks the returns that no entry has. Each order is among the entries once. `generation` is the value of the column of
 * that name, if the table has one.
 */
export const deleteGoneReturns = (
  names: TableNames,
  entries: readonly EntryFacts[],
  generation?: number,
): readonly Statement[] =>
  byStatement(entries.filter(({ version }) => version > FIRST_VERSION)).map((some) => ({
    text: deleteReturns(names, generation),
    params: { ...paramsOf(some), present: some.flatMap(({ returnIds }) => returnIds) },
  }))

/** Marks the orders that the entries delete. */
export const deleteGoneOrders = (
  names: TableNames,
  entries: readonly PreparedEntry[],
  generation?: number,
): readonly Statement[] =>
  byStatement(entries.filter(({ order }) => order === undefined)).map((some) => ({
    text: deleteOrders(names, generation),
    params: paramsOf(some),
  }))
