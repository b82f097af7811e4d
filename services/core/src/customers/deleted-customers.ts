/**
 * Which customers are gone while tokens that speak for them may be alive, in memory: what costs a request nothing.
 * The database notes deletions in their own transaction (migration deleted_customers), so none can be missed; this looks
 * at what is new twice a second.
 */
import type { Mode } from '@merx/access-token/caller'
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import type { Queryable } from '../engine/database/database.ts'

/** An organization in one mode, by its public id. */
export interface CustomerEnvironment {
  readonly organizationId: string
  readonly mode: Mode
}

export interface DeletedCustomers {
  /** By public id. False also of a customer that never was. */
  has(environment: CustomerEnvironment, customerId: string): boolean
  /** Reads all of them, then follows. @throws the error of the first reading; later ones are tried again. */
  start(): Promise<void>
  /** Resolves when the reading that is under way has ended. */
  close(): Promise<void>
}

const LOOK_MS = 500
/**
 * After a pause this long everything is read anew: transaction ids of another server, which may have taken over in the
 * meantime, do not compare.
 */
const PAUSE_MS = 5_000
/** And as often as this, so that what has expired, or was put back from a backup, is forgotten. */
const FORGET_MS = 3_600_000

/**
 * One statement, so one moment. Transactions below the horizon are over: what they deleted is seen now, what others do is
 * at or above it, also when it commits later than deletions that began after it.
 */
const LOOK = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
    (SELECT coalesce(json_agg(json_build_array(environments.organization_id, environments.mode, deleted.customer_id)), '[]')
     FROM deleted_customers AS deleted JOIN environments ON environments.id = deleted.environment_id
     WHERE deleted.transaction_id >= $1::bigint AND deleted.deleted_at > now() - interval '15 days 10 minutes'
       AND NOT EXISTS (SELECT FROM customers
         WHERE customers.environment_id = deleted.environment_id AND customers.id = deleted.customer_id)) AS deleted`
/** No token is alive longer than 15 days (contract, Token lifetime). */
const FORGET = `DELETE FROM deleted_customers WHERE deleted_at < now() - interval '16 days'`

interface News {
  readonly horizon: string
  readonly deleted: readonly (readonly [organizationId: string, mode: Mode, customerId: number])[]
}

const keyOf = ({ organizationId, mode }: CustomerEnvironment, customerId: string): string =>
  `${organizationId} ${mode} ${customerId}`

/** @example const deleted = createDeletedCustomers({ database, ids, log }); await deleted.start() */
export const createDeletedCustomers = ({
  database,
  ids,
  log,
}: {
  readonly database: Queryable
  readonly ids: Pick<PublicIds, 'encode'>
  readonly log: Logger
}): DeletedCustomers => {
  const closing = new AbortController()
  let gone = new Set<string>()
  let horizon = '0'
  let readAtMs = -Infinity
  let wholeAtMs = -Infinity
  let following: Promise<void> | undefined

  const look = async (): Promise<void> => {
    const now = performance.now()
    const isWhole = now - readAtMs > PAUSE_MS || now - wholeAtMs > FORGET_MS
    const [news] = await database.query<News & Record<string, unknown>>(
      LOOK,
      [isWhole ? '0' : horizon],
      'look_at_deleted_customers',
    )
    if (news === undefined) throw new Error('the look at deleted customers gave no row')
    const keys = news.deleted.map(([organizationId, mode, number]) =>
      keyOf({ organizationId, mode }, ids.encode('customers', number)),
    )
    if (isWhole) gone = new Set(keys)
    else for (const key of keys) gone.add(key)
    horizon = news.horizon
    readAtMs = now
    if (isWhole) wholeAtMs = now
  }

  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await pause(LOOK_MS, closing.signal)
      if (closing.signal.aborted) return
      try {
        const before = wholeAtMs
        await look()
        if (wholeAtMs !== before) await database.query(FORGET)
      } catch (error) {
        log.warn({ err: error }, 'could not look which customers were deleted; it is tried again')
      }
    }
  }

  return {
    has: (environment, customerId) => gone.has(keyOf(environment, customerId)),
    start: async () => {
      await look()
      following ??= follow()
    },
    close: async () => {
      closing.abort()
      await following
    },
  }
}
