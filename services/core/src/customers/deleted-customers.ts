/**
 * Customers that were deleted, or given another password, while tokens that speak for them may be alive; in memory, so
 * that a request costs nothing. Triggers record both in their own transaction, so none can be missed; this reads what is
 * new twice a second.
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
  /** Unix seconds: an earlier sign-in of this customer is over. 0 when no password was set lately. */
  passwordSetAtSeconds(environment: CustomerEnvironment, customerId: string): number
  /** Reads all of them, then follows. @throws the error of the first reading; later ones are tried again. */
  start(): Promise<void>
  /** Resolves when the reading that is under way has ended. */
  close(): Promise<void>
}

const LOOK_MS = 500
/**
 * After a pause this long everything is read again: transaction ids of another server, which may have taken over in the
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
         WHERE customers.environment_id = deleted.environment_id AND customers.id = deleted.customer_id)) AS deleted,
    (SELECT coalesce(json_agg(json_build_array(environments.organization_id, environments.mode, changed.customer_id,
         ceil(extract(epoch FROM changed.changed_at)))), '[]')
     FROM changed_passwords AS changed JOIN environments ON environments.id = changed.environment_id
     WHERE changed.transaction_id >= $1::bigint AND changed.changed_at > now() - interval '15 days 10 minutes') AS changed`
/** No token is alive longer than 15 days (contract, Token lifetime). */
const FORGET = `
  WITH changed AS (DELETE FROM changed_passwords WHERE changed_at < now() - interval '16 days')
  DELETE FROM deleted_customers WHERE deleted_at < now() - interval '16 days'`

interface News {
  readonly horizon: string
  readonly deleted: readonly (readonly [organizationId: string, mode: Mode, customerId: number])[]
  readonly changed: readonly (readonly [
    organizationId: string,
    mode: Mode,
    customerId: number,
    atSeconds: number,
  ])[]
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
  let passwordSetAt = new Map<string, number>()
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
    const passwords = news.changed.map(
      ([organizationId, mode, number, atSeconds]) =>
        [keyOf({ organizationId, mode }, ids.encode('customers', number)), atSeconds] as const,
    )
    if (isWhole) {
      gone = new Set(keys)
      passwordSetAt = new Map(passwords)
    } else {
      for (const key of keys) gone.add(key)
      for (const [key, atSeconds] of passwords) passwordSetAt.set(key, atSeconds)
    }
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
        log.warn(
          { err: error },
          'could not read which customers were deleted or given another password; it is tried again',
        )
      }
    }
  }

  return {
    has: (environment, customerId) => gone.has(keyOf(environment, customerId)),
    passwordSetAtSeconds: (environment, customerId) => passwordSetAt.get(keyOf(environment, customerId)) ?? 0,
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
