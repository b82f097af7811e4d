/**
 * An attempt to move money by an outside gateway is a transaction from the start. Its column `attempt` says where it is:
 * - `asking`: the gateway is being asked, or the process that asked it died
 * - `answered`: the gateway moved the money, and no write has counted it yet
 * - `pending`: the gateway answers later, by its action (callback.ts)
 * - `unknown`: it failed for everybody, and nobody knows what the gateway did; the same question is asked again
 * - `unwanted`: the gateway moved money that nobody can use; it is given back
 * - `late`: given up, and the gateway may still answer by its action
 * Without one it is finished, as `succeeded` says (docs/adr/0093).
 */
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../../engine/database/rows.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'

export type AttemptState = 'asking' | 'answered' | 'pending' | 'unknown' | 'unwanted' | 'late'

export type AttemptRow = RowOf<'Transaction'>

/** While one of these is open, the order stays as it is: amounts that a gateway is asked for must not change. */
export const LOCKING = ['asking', 'answered', 'pending'] as const satisfies readonly AttemptState[]

/** Longer than a call takes; whoever asked before this is dead, and its attempt may be taken over. */
const STALE_MS = 15_000

/** How long until an attempt is seen to again, by how often it was. After the last one it is given up. */
export const AGAIN_SECONDS = [60, 300, 1_800, 7_200, 18_000, 36_000]

export const isGivenUp = ({ attempts_count: count }: Pick<AttemptRow, 'attempts_count'>): boolean =>
  count > AGAIN_SECONDS.length

/** Error codes of attempts that were given up: a person sees to them (docs/runbooks/payments-given-up.md). */
export const GIVEN_UP = {
  /** Nobody knows what the gateway did. */
  unknown: 'unknown',
  /** The gateway has money that nobody can use. */
  unwanted: 'not_given_back',
} as const

/** Error code of an attempt whose money nobody could use, and which the gateway took back. */
export const GIVEN_BACK = 'given_back'

/** Error code of an attempt that `_cancel` gave up while the gateway had still to answer. */
export const GIVEN_UP_BY_HAND = 'given_up'

/** Merx decides by these what became of an attempt, so a gateway's own code of such a name is kept as `gateway_…`. */
export const OWN_CODES: readonly string[] = [...Object.values(GIVEN_UP), GIVEN_BACK, GIVEN_UP_BY_HAND]

/** The columns with which an attempt that was given up is seen to again by the job, or undefined. */
export const againOf = (row: Row): Row | undefined => {
  const { attempt = null, succeeded, error_code: code } = columnsOf('Transaction', row)
  if (attempt !== null || succeeded === true) return undefined
  const [state] = Object.entries(GIVEN_UP).find(([, given]) => given === code) ?? []
  return state === undefined ? undefined : { attempt: state, attempts_count: 0 }
}

export const stateOf = (row: Row): AttemptState | undefined =>
  (columnsOf('Transaction', row).attempt ?? undefined) as AttemptState | undefined

export const isStale = (row: Row, now: Date): boolean => {
  const at = columnsOf('Transaction', row).attempted_at ?? null
  return at === null || now.getTime() - at.getTime() >= STALE_MS
}

const RELOCK = `UPDATE orders SET open_transaction_id = open.id
  FROM (SELECT min(id) AS id FROM transactions
    WHERE environment_id = $1 AND order_id = $2 AND attempt = ANY($3::text[])) AS open
  WHERE orders.environment_id = $1 AND orders.id = $2 AND orders.open_transaction_id IS DISTINCT FROM open.id`

/** The order names the oldest attempt that it waits for, or none. Call it after an attempt was written. */
export const relockOrder = async (environmentId: number, order: number, run: RunStatement): Promise<void> => {
  await run({ text: RELOCK, values: [environmentId, order, LOCKING] })
}
