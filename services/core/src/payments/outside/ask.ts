/** Asks the gateway about a stored attempt, outside of any transaction, and stores what it says. */
import type { Row } from '@merx/jsonapi/attributes'
import { runIn } from '../../engine/database/run-statement.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { OutsideDeps } from '../../engine/write/outside-calls.ts'
import { persist } from '../../engine/write/persist.ts'
import { EXTERNAL_FAILURES_MAX, recordFailures, recordSuccess } from '../../outside/circuit.ts'
import { lockOrder } from '../lock-order.ts'
import { relockOrder } from './attempt.ts'
import type { AttemptRow, AttemptState } from './attempt.ts'
import { verdictOf } from './gateway-answer.ts'
import type { GatewayVerdict } from './gateway-answer.ts'
import { askFor } from './gateway-question.ts'
import type { GatewayRow } from './gateway-question.ts'
import { paymentInFlight } from './in-flight.ts'
import type { PaymentAnswer } from './payment-answer.ts'

/** Whom the change log names. */
export const SYSTEM: Row = { application: null, owner: null }

/** Takes an attempt over: whoever had it before stores nothing any more. */
export const claim = async (
  row: AttemptRow,
  state: AttemptState,
  run: RunStatement,
  { clock }: OutsideDeps,
): Promise<AttemptRow> => {
  const text = `UPDATE transactions SET attempt = $3, attempted_at = $4, attempts_count = attempts_count + 1
    WHERE environment_id = $1 AND id = $2 RETURNING *`
  const values = [row.environment_id, row.id, state, clock.now()]
  const [claimed] = await run<AttemptRow>({ text, values })
  if (claimed === undefined) throw new Error(`transaction ${row.id} is gone`)
  await relockOrder(row.environment_id, row.order_id, run)
  return claimed
}

/** `row` as it was claimed: with the time of the claim, by which its result is stored. */
export const ask = async (row: AttemptRow, deps: OutsideDeps): Promise<PaymentAnswer> => {
  const gateway = await gatewayOf(row, deps.run)
  const answer = await askFor(row, gateway, deps)
  const verdict = verdictOf(answer, row.amount_cents)
  await countForCircuit(gateway, verdict, deps.run)
  return deps.database.transaction((transaction) => storeVerdict(row, verdict, runIn(transaction), deps))
}

export const gatewayOf = async (row: AttemptRow, run: RunStatement): Promise<GatewayRow> => {
  const { environment_id: environmentId, payment_gateway_id: number } = row
  const [gateway] = await run<GatewayRow>(selectRow('payment_gateways', environmentId, number ?? -1, false))
  if (gateway === undefined) throw new Error(`transaction ${row.id} has no gateway`)
  return gateway
}

export const countForCircuit = async (
  { environment_id: environmentId, id }: GatewayRow,
  { kind }: Pick<GatewayVerdict, 'kind'>,
  run: RunStatement,
): Promise<void> => {
  const row = { table: 'payment_gateways', environmentId, id, opensAt: EXTERNAL_FAILURES_MAX }
  await (kind === 'failed' ? recordFailures(row, 1, run) : recordSuccess(row, run))
}

const MINE = `SELECT * FROM transactions
  WHERE environment_id = $1 AND id = $2 AND attempt = $3 AND attempted_at = $4 FOR UPDATE`

const storeVerdict = async (
  row: AttemptRow,
  verdict: GatewayVerdict,
  run: RunStatement,
  deps: OutsideDeps,
): Promise<PaymentAnswer> => {
  const { environment_id: environmentId, id, order_id: order } = row
  await lockOrder('$2', order, { run, scope: { environmentId } })
  const values = [environmentId, id, row.attempt, row.attempted_at]
  const [mine] = await run<AttemptRow>({ text: MINE, values })
  // Somebody else took the attempt over, and asks with the same key.
  if (mine === undefined) throw paymentInFlight(5)
  // Nobody waits any more for an attempt that failed for everybody before.
  const isGivenUp = row.attempt === 'unknown'
  const columns = columnsOf(verdict, mine, isGivenUp)
  const isFailure = verdict.kind !== 'moved' && verdict.kind !== 'pending' && !isGivenUp
  const topics = isFailure ? [`${row.type}.failed`, 'transactions.refused'] : []
  const definition = deps.registry.require(row.type)
  const context = { run, registry: deps.registry, environmentId, actor: SYSTEM }
  await persist([{ definition, before: mine, columns, topics }], context)
  await relockOrder(environmentId, order, run)
  return answerOf(id, verdict, isGivenUp)
}

const columnsOf = (
  verdict: GatewayVerdict,
  { attempts_count: count }: AttemptRow,
  isGivenUp: boolean,
): Row => {
  switch (verdict.kind) {
    case 'moved': {
      const state: AttemptState = 'answered'
      return { attempt: state, token: verdict.token, ...NO_ERROR, ...verdict.details }
    }
    case 'pending': {
      const state: AttemptState = isGivenUp ? 'late' : 'pending'
      return {
        attempt: state,
        action_id: verdict.actionId,
        ...tokenOf(verdict),
        ...NO_ERROR,
        message: 'pending',
      }
    }
    case 'declined':
      return { attempt: null, ...tokenOf(verdict), ...verdict.details }
    case 'mismatched': {
      const state: AttemptState = 'unwanted'
      const failure = failureColumns('mismatched', verdict.message)
      return { attempt: state, attempts_count: 0, ...tokenOf(verdict), ...failure }
    }
    case 'failed': {
      // That this question moved nothing says nothing about an earlier one.
      const state: AttemptState | null = verdict.isSure && count === 1 ? null : 'unknown'
      return { attempt: state, ...failureColumns(verdict.code, verdict.message) }
    }
  }
}

const NO_ERROR: Row = { message: null, error_code: null, error_detail: null }

const tokenOf = ({ token }: { readonly token: string | undefined }): Row =>
  token === undefined ? {} : { token }

export const failureColumns = (code: string, message: string): Row => ({
  message: `No answer that counts: ${message}`,
  error_code: code,
  error_detail: message,
})

const answerOf = (id: number, verdict: GatewayVerdict, isGivenUp: boolean): PaymentAnswer => {
  switch (verdict.kind) {
    case 'moved':
      return { kind: 'moved', id }
    case 'pending':
      return {
        kind: isGivenUp ? 'failed' : 'waiting',
        id,
        message: 'is given up, and the gateway answers later',
      }
    case 'declined':
      return { kind: 'declined', id, message: verdict.details.message ?? 'no reason was given' }
    case 'mismatched':
    case 'failed':
      return { kind: 'failed', id, message: verdict.message }
  }
}
