/**
 * One page of the order feed: changed orders in the order in which their changes committed, each once, with the
 * document as it is now. Page and documents come from one snapshot, so that a document is never older than the change
 * it is sent for (docs/adr/0009-order-feed.md).
 */
import { AppError } from '@merx/errors/app-error'
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { OrderFeedEntry, OrderFeedPage } from '@merx/order-feed/order-document'
import type { Database, Queryable } from '../engine/database/database.ts'
import { decodeFeedCursor, encodeFeedCursor } from './feed-cursor.ts'
import type { FeedPlace } from './feed-cursor.ts'
import { orderKey, readOrderDocuments } from './order-documents.ts'

export interface FeedSource {
  readonly database: Database
  readonly ids: PublicIds
}

export interface FeedRead {
  readonly page: OrderFeedPage
  /** Changes have committed that may be sent only when a transaction older than them has ended. */
  readonly isHeldBack: boolean
}

interface StateRow {
  readonly epoch: string
  readonly next_transaction_id: number
  readonly last_position: number
  readonly is_held_back: boolean
}

interface ChangeRow {
  readonly environment_id: number
  readonly order_id: number
  readonly version: number
  readonly is_deleted: boolean
  readonly transaction_id: number
  readonly position: number
  readonly organization_id: string
  readonly mode: 'test' | 'live'
}

// Transactions below the oldest running one are all decided: nothing can still commit in front of them.
const CHANGES = `
  SELECT change.environment_id, change.order_id, change.version, change.is_deleted, change.transaction_id,
    change.position, environments.organization_id, environments.mode
  FROM order_changes AS change JOIN environments ON environments.id = change.environment_id
  WHERE (change.transaction_id, change.position) > ($1, $2)
    AND change.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  ORDER BY change.transaction_id, change.position
  LIMIT $3`

const STATE = `
  SELECT epoch, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next_transaction_id,
    (SELECT last_value FROM order_changes_position_seq) AS last_position, EXISTS (
    SELECT FROM order_changes
    WHERE transaction_id >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  ) AS is_held_back
  FROM order_feed`

/**
 * Reads up to `limit` entries after the cursor; without one, every order from the beginning. Reading a page again gives
 * the same orders or newer versions of them, unless they changed since: then they are on a later page.
 * Throws bad_request on a cursor that is none, and on one of another history: the database was restored since, so that
 * its reader may hold orders that are no more, and versions that are to come again.
 */
export const readOrderFeed = async (
  { database, ids }: FeedSource,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<FeedRead> => {
  const asked = after === undefined ? undefined : decodeFeedCursor(after)
  return database.transaction(
    async (snapshot) => {
      const [state] = await snapshot.query<StateRow>(STATE)
      if (state === undefined) throw new Error('order_feed has no row')
      const start = asked ?? { epoch: state.epoch, transactionId: 0, position: 0 }
      requireSameHistory(start, state)
      const rows = await snapshot.query<ChangeRow>(CHANGES, [start.transactionId, start.position, limit])
      return {
        page: {
          entries: await toEntries(snapshot, rows, ids),
          cursor: encodeFeedCursor(placeAfter(rows, start)),
          caught_up: rows.length < limit,
        },
        isHeldBack: state.is_held_back,
      }
    },
    { isReadOnlySnapshot: true },
  )
}

/**
 * After a restore into another cluster the epoch is another; after one to an earlier time transactions are to come; and
 * after one into the cluster that went on, whose transactions do, positions are.
 */
const requireSameHistory = (place: FeedPlace, state: StateRow): void => {
  const { epoch, next_transaction_id: nextTransactionId, last_position: lastPosition } = state
  if (place.epoch === epoch && place.transactionId < nextTransactionId && place.position <= lastPosition)
    return
  throw new AppError('bad_request', {
    detail:
      'after is a cursor of another history: the database was restored since; read from the start into an empty store',
    source: { parameter: 'after' },
  })
}

const placeAfter = (rows: readonly ChangeRow[], start: FeedPlace): FeedPlace => {
  const last = rows.at(-1)
  if (last === undefined) return start
  return { epoch: start.epoch, transactionId: last.transaction_id, position: last.position }
}

const toEntries = async (
  snapshot: Queryable,
  rows: readonly ChangeRow[],
  ids: PublicIds,
): Promise<readonly OrderFeedEntry[]> => {
  const present = rows.filter((row) => !row.is_deleted)
  const documents = await readOrderDocuments(
    snapshot,
    present.map((row) => ({ environmentId: row.environment_id, id: row.order_id })),
    ids,
  )
  return rows.map((row): OrderFeedEntry => {
    if (row.is_deleted) {
      const { organization_id, mode, version } = row
      return { kind: 'delete', organization_id, mode, id: ids.encode('orders', row.order_id), version }
    }
    const document = documents.get(orderKey(row.environment_id, row.order_id))
    // Row and order are written together and read in one snapshot.
    if (document === undefined)
      throw new Error(`order_changes names an order that is not there: ${row.order_id}`)
    return { kind: 'upsert', document }
  })
}
