/** Grants the lease on applying the order feed to a store, and counts what the store lacks (docs/adr/0034-one-ingester-per-store.md). */
import type { Database } from '../engine/database/database.ts'
import { takeLease } from '../engine/database/lease.ts'
import type { Lease, LeaseRequest } from '../engine/database/lease.ts'
import { decodeFeedCursor } from './feed-cursor.ts'

export interface FeedLeaseRequest extends LeaseRequest {
  /** Cursor up to which the store is filled; what is behind it is counted. */
  readonly after?: string | undefined
}

/** As it stands on the wire. */
export interface FeedLease extends Lease {
  /** Changes behind `after`, counted up to `BACKLOG_MAX`; null without a cursor. */
  readonly backlog: number | null
}

/** Counting further would cost more than anybody learns from it. */
export const BACKLOG_MAX = 10_000

const BACKLOG = `
  SELECT count(*)::integer AS backlog FROM (
    SELECT FROM order_changes WHERE (transaction_id, position) > ($1, $2) LIMIT ${BACKLOG_MAX}
  ) AS changes`

const countBacklog = async (database: Database, after: string | undefined): Promise<number | null> => {
  if (after === undefined) return null
  const { transactionId, position } = decodeFeedCursor(after)
  const [row] = await database.query<{ backlog: number }>(BACKLOG, [transactionId, position])
  return row?.backlog ?? 0
}

/** Throws bad_request for an `after` that is no cursor of the feed. */
export const takeFeedLease = async (database: Database, request: FeedLeaseRequest): Promise<FeedLease> => {
  const backlog = await countBacklog(database, request.after)
  return { ...(await takeLease(database, request)), backlog }
}
