/**
 * Grants the lease on applying the order feed to a store: to one holder at a time, with a token higher than every one before
 * (docs/adr/0034-one-ingester-per-store.md). It ends by the clock of the database, so those of the callers do not matter.
 */
import type { Database } from '../engine/database/database.ts'
import { decodeFeedCursor } from './feed-cursor.ts'

export interface FeedLeaseRequest {
  /** Name of the store that is filled. */
  readonly store: string
  readonly holder: string
  /** How long the lease lasts unless it is taken again; 0 gives it back. */
  readonly ttlMs: number
  /** The new token is higher than this: what the store itself has seen, also when this database forgot. */
  readonly above: number
  /** Cursor up to which the store is filled; what is behind it is counted. */
  readonly after?: string | undefined
  /** What the holder says about itself, for those who ask instead of it. */
  readonly report: Readonly<Record<string, unknown>>
}

/** As it stands on the wire. */
export interface FeedLease {
  readonly is_held: boolean
  /** Of the present holder, whoever that is; 0 when nobody ever held it. */
  readonly token: number
  readonly holder: string
  readonly report: Readonly<Record<string, unknown>>
  /** Changes behind `after`, counted up to `BACKLOG_MAX`; null without a cursor. */
  readonly backlog: number | null
}

/** Counting further would cost more than anybody learns from it. */
export const BACKLOG_MAX = 10_000

interface LeaseRow {
  readonly holder: string
  readonly token: number
  readonly report: Readonly<Record<string, unknown>>
}

// A holder that comes back after its lease ran out keeps its token when nobody held it in between.
const TAKE = `
  INSERT INTO feed_leases AS known (store, holder, token, report, expires_at)
  VALUES ($1, $2, $4::bigint + 1, $5, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (store) DO UPDATE SET
    holder = excluded.holder, report = excluded.report, expires_at = excluded.expires_at,
    token = CASE WHEN known.holder = excluded.holder AND known.token >= $4::bigint THEN known.token
      ELSE greatest(known.token, $4::bigint) + 1 END
  WHERE known.holder = excluded.holder OR known.expires_at < clock_timestamp()
  RETURNING holder, token, report`

const GIVE_BACK = `
  UPDATE feed_leases SET expires_at = clock_timestamp() - interval '1 millisecond' WHERE store = $1 AND holder = $2`

const READ = 'SELECT holder, token, report FROM feed_leases WHERE store = $1'

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

const take = async (database: Database, request: FeedLeaseRequest): Promise<LeaseRow | undefined> => {
  const { store, holder, ttlMs, above, report } = request
  if (ttlMs === 0) {
    await database.query(GIVE_BACK, [store, holder])
    return undefined
  }
  const [row] = await database.query<LeaseRow>(TAKE, [store, holder, ttlMs, above, report])
  return row
}

/** Takes, renews or gives back the lease. Throws bad_request for an `after` that is no cursor of the feed. */
export const takeFeedLease = async (database: Database, request: FeedLeaseRequest): Promise<FeedLease> => {
  const backlog = await countBacklog(database, request.after)
  const taken = await take(database, request)
  if (taken !== undefined) return { ...taken, is_held: true, backlog }
  const [other] = await database.query<LeaseRow>(READ, [request.store])
  return { is_held: false, token: 0, holder: '', report: {}, ...other, backlog }
}
