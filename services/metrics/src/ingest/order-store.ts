/** The tables of orders and returns as the ingest writes them, and the place in the feed up to which it is filled. */
import type { OrderDocument, OrderFeedEntry } from '@merx/order-feed/order-document'
import type { Clock } from '@merx/telemetry/clock'
import type { Engine } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'
import { deleteGoneOrders, deleteGoneReturns } from './delete-rows.ts'
import { toRowOrder } from './order-row.ts'
import { toRowsReturns } from './return-rows.ts'

export interface Position {
  /** Undefined: the feed is read from the start. */
  readonly cursor: string | undefined
  /** The store has held everything at least once, so its answers are at worst late, never partial. */
  readonly hasCaughtUp: boolean
}

export interface OrderStore {
  readPosition(): Promise<Position>
  /** Applies the entries of one page. Applying them again, or older ones later, changes nothing. */
  apply(entries: readonly OrderFeedEntry[]): Promise<void>
  /** Call it only after the entries up to `cursor` were applied. */
  savePosition(position: Position & { readonly cursor: string }): Promise<void>
}

const FEED = 'orders'
const budget: Budget = { timeoutMs: 30_000, memoryBytesMax: 500_000_000, groupsMax: 10_000, rowsMax: 10_000 }

const toInstant = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '')

export const createOrderStore = (engine: Engine, clock: Clock): OrderStore => {
  const executeAll = async (statements: readonly Statement[]): Promise<void> => {
    for (const statement of statements) await engine.execute(statement)
  }

  const isEmpty = async (): Promise<boolean> => {
    const [row] = await engine.run({ text: 'SELECT count() AS total FROM orders', params: {} }, budget)
    return Number(row?.total ?? 0) === 0
  }

  return {
    readPosition: async () => {
      const text = 'SELECT cursor, has_caught_up FROM ingest_position FINAL WHERE feed = {feed:String}'
      const [row] = await engine.run({ text, params: { feed: FEED } }, budget)
      if (row === undefined || (await isEmpty())) return { cursor: undefined, hasCaughtUp: false }
      return { cursor: String(row.cursor), hasCaughtUp: row.has_caught_up === true }
    },
    apply: async (entries) => {
      const documents = entries.flatMap((entry): OrderDocument[] =>
        entry.kind === 'upsert' ? [entry.document] : [],
      )
      const returns = documents.flatMap(toRowsReturns)
      if (returns.length > 0) await engine.insert('returns', returns)
      await executeAll(deleteGoneReturns(entries))
      if (documents.length > 0) await engine.insert('orders', documents.map(toRowOrder))
      await executeAll(deleteGoneOrders(entries))
    },
    savePosition: async ({ cursor, hasCaughtUp }) => {
      const now = clock.now()
      const row = {
        feed: FEED,
        cursor,
        has_caught_up: hasCaughtUp,
        saved_at: toInstant(now),
        version: now.getTime(),
      }
      await engine.insert('ingest_position', [row])
    },
  }
}
