/**
 * Leases in the table feed_leases: one holder at a time for each name, with a token higher than every one before. They end by
 * the clock of the database, so those of the holders do not matter.
 */
import type { Database } from './database.ts'

export interface LeaseRequest {
  /** Name of what is leased. */
  readonly store: string
  readonly holder: string
  /** How long the lease lasts unless it is taken again; 0 gives it back. */
  readonly ttlMs: number
  /** The new token is higher than this: what the store itself has seen, also when this database forgot. Default 0. */
  readonly above?: number
  /** What the holder says about itself, for those who ask instead of it. */
  readonly report?: Readonly<Record<string, unknown>>
}

export interface Lease {
  readonly is_held: boolean
  /** Of the present holder, whoever that is; 0 when nobody ever held it. */
  readonly token: number
  readonly holder: string
  readonly report: Readonly<Record<string, unknown>>
}

type LeaseRow = Omit<Lease, 'is_held'>

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

/** Takes, renews or gives back a lease. */
export const takeLease = async (
  database: Pick<Database, 'query'>,
  { store, holder, ttlMs, above = 0, report = {} }: LeaseRequest,
): Promise<Lease> => {
  if (ttlMs === 0) await database.query(GIVE_BACK, [store, holder])
  else {
    const [taken] = await database.query<LeaseRow>(TAKE, [store, holder, ttlMs, above, report])
    if (taken !== undefined) return { ...taken, is_held: true }
  }
  const [other] = await database.query<LeaseRow>(READ, [store])
  return { is_held: false, token: 0, holder: '', report: {}, ...other }
}
