/** Finds attempts whose process died or whose gateway did not answer, and finishes them. */
import { runIn } from '../../engine/database/run-statement.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import { askOutside } from '../../engine/write/outside-calls.ts'
import type { OutsideCall, OutsideDeps } from '../../engine/write/outside-calls.ts'
import { defineJob } from '../../jobs/define-job.ts'
import { rowKey } from '../../jobs/row-job.ts'
import type { RowPayload } from '../../jobs/row-job.ts'
import { lockOrder } from '../lock-order.ts'
import { ask, claim } from './ask.ts'
import { AGAIN_SECONDS, GIVEN_UP, isGivenUp, stateOf } from './attempt.ts'
import type { AttemptRow } from './attempt.ts'
import { countGivenUp } from './payment-metrics.ts'
import { count, finish, giveBack } from './settle.ts'

/** How long nobody touched an attempt that is being asked before its process counts as dead. */
const DEAD_AFTER_SECONDS = 60

const DUE = `SELECT environment_id, id FROM transactions
  WHERE (attempt IN ('asking', 'answered') AND attempted_at <= $1::timestamptz - make_interval(secs => ${DEAD_AFTER_SECONDS}))
    OR (attempt IN ('unknown', 'unwanted') AND attempted_at <= $1::timestamptz - make_interval(
      secs => (ARRAY[${AGAIN_SECONDS.join()}])[least(greatest(attempts_count, 1), ${AGAIN_SECONDS.length})]))
  ORDER BY attempted_at LIMIT 500`

export const findAttempts = defineJob({
  name: 'payments.find-attempts',
  retryDelaysSeconds: [],
  cron: '* * * * *',
  run: async (_payload, { run, enqueue, now }) => {
    const rows = await run<{ readonly environment_id: number; readonly id: number }>({
      text: DUE,
      values: [now],
    })
    for (const { environment_id: environmentId, id } of rows)
      await enqueue(recoverAttempt, { environmentId, id }, run)
    return 'done'
  },
})

export const recoverAttempt = defineJob<RowPayload>({
  name: 'payments.recover-attempt',
  retryDelaysSeconds: [5, 60],
  key: rowKey,
  run: async (payload, context) => {
    const key = `payments.recover ${rowKey(payload)}`
    return askOutside({ key, perform: (deps) => recover(payload, deps) }, context)
  },
})

/** Asks at once what became of an attempt that another movement depends on. */
export const recoveryCall = ({
  environment_id: environmentId,
  id,
}: AttemptRow): OutsideCall<{ readonly isUnclear: boolean }> => ({
  key: `payments.recover ${environmentId}:${id}`,
  perform: async (deps) => {
    await recover({ environmentId, id }, deps, 0)
    const [row] = await deps.run<AttemptRow>(selectRow('transactions', environmentId, id, false))
    return { isUnclear: row !== undefined && stateOf(row) === 'unknown' }
  },
})

/** One step; the next one is due later. */
export const recover = async (
  payload: RowPayload,
  deps: OutsideDeps,
  afterSeconds = DEAD_AFTER_SECONDS,
): Promise<'done'> => {
  const row = await take(payload, afterSeconds, deps)
  switch (row === undefined ? undefined : stateOf(row)) {
    case 'answered':
      await count(row as AttemptRow, deps)
      break
    case 'unwanted':
      await giveBack(row as AttemptRow, deps)
      break
    case 'asking':
    case 'unknown':
      await askAgain(row as AttemptRow, deps)
      break
    default:
  }
  return 'done'
}

/** The attempt as it is now; one that will be asked about is claimed. */
const take = (
  { environmentId, id }: RowPayload,
  afterSeconds: number,
  deps: OutsideDeps,
): Promise<AttemptRow | undefined> =>
  deps.database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const [order] = await run<{ readonly order_id: number }>({
      text: 'SELECT order_id FROM transactions WHERE environment_id = $1 AND id = $2',
      values: [environmentId, id],
    })
    if (order === undefined) return undefined
    await lockOrder('$2', order.order_id, { run, scope: { environmentId } })
    const [row] = await run<AttemptRow>(selectRow('transactions', environmentId, id, true))
    const state = row === undefined ? undefined : stateOf(row)
    if (row === undefined || (state !== 'asking' && state !== 'unknown')) return row
    const isTaken =
      row.attempted_at !== null &&
      deps.clock.now().getTime() - row.attempted_at.getTime() < afterSeconds * 1_000
    if (isTaken) return undefined
    return claim(row, state, run, deps)
  })

const UNKNOWN = 'Nobody knows what the gateway did, and it is not asked any more; _cancel asks again'

/** Money of an attempt that everybody has given up: an authorization goes back, what else has happened counts. */
const askAgain = async (row: AttemptRow, deps: OutsideDeps): Promise<void> => {
  // The claim that finds nothing left to try counts too.
  if (isGivenUp({ attempts_count: row.attempts_count - 1 })) {
    deps.log.error({ transaction: row.number }, 'nobody knows what a gateway did; see to it by hand')
    countGivenUp('unknown')
    return finish(row, { attempt: null, error_code: GIVEN_UP.unknown, message: UNKNOWN }, deps)
  }
  const answer = await ask(row, deps)
  if (answer.kind !== 'moved') return
  const [answered] = await deps.run<AttemptRow>(selectRow('transactions', row.environment_id, row.id, false))
  if (answered === undefined || stateOf(answered) !== 'answered') return
  const isFailedBefore = row.attempt === 'unknown'
  await (isFailedBefore && row.type === 'authorizations' ? giveBack(answered, deps) : count(answered, deps))
}
