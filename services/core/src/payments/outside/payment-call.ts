/**
 * The three phases of one movement by an outside gateway: the attempt is stored, the gateway is asked, what it says is
 * stored. Only then the write that wanted it runs again, and counts it (docs/adr/0093).
 */
import type { Row } from '@merx/jsonapi/attributes'
import { runIn } from '../../engine/database/run-statement.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import { reserveNumbers } from '../../engine/sql/reserve-numbers.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import { PLAN_AGAIN } from '../../engine/write/outside-calls.ts'
import type { OutsideCall, OutsideDeps } from '../../engine/write/outside-calls.ts'
import { numberOf, persist } from '../../engine/write/persist.ts'
import { scopeOf } from '../../outside/outside-document.ts'
import type { TransactionType } from '../ledger.ts'
import { transactionNumber } from '../transaction-number.ts'
import { ask, claim, failureColumns, SYSTEM } from './ask.ts'
import { isStale, relockOrder, stateOf } from './attempt.ts'
import type { AttemptRow } from './attempt.ts'
import type { GatewayRow } from './gateway-question.ts'
import { paymentInFlight } from './in-flight.ts'
import type { PaymentAnswer } from './payment-answer.ts'
import { settleUnused } from './settle.ts'

/** What is to be moved. */
export interface MovementToAsk {
  readonly environmentId: number
  readonly type: TransactionType
  readonly order: number
  /** The order as it was planned from: `xmin` of its row. */
  readonly orderVersion: string
  /** Attempts that were answered to the same write, and that it counts. */
  readonly held: readonly number[]
  readonly amountCents: number
  readonly currencyCode: string
  /** The authorization of a capture or void, the capture of a refund. */
  readonly origin: number | null
  readonly gateway: number
  readonly source: Pick<AttemptRow, 'payment_source_type' | 'payment_source_id'>
}

export const paymentCall = (movement: MovementToAsk): OutsideCall<PaymentAnswer> => {
  const { orderVersion: _version, held: _held, ...asked } = movement
  return {
    key: `payments ${JSON.stringify(asked)}`,
    perform: (deps) => perform(movement, deps),
    holdsRow: true,
    settle: async (answer, deps) => {
      if (answer.kind === 'moved') await settleUnused(movement.environmentId, answer.id, deps)
    },
  }
}

const perform = async (
  movement: MovementToAsk,
  deps: OutsideDeps,
): Promise<PaymentAnswer | typeof PLAN_AGAIN> => {
  const intent = await deps.database.transaction((transaction) =>
    storeIntent(movement, runIn(transaction), deps),
  )
  return intent === PLAN_AGAIN || 'kind' in intent ? intent : ask(intent.row, deps)
}

const ORDER = `SELECT *, xmin::text AS xmin FROM orders
  WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE`
const OPEN = `SELECT * FROM transactions
  WHERE environment_id = $1 AND order_id = $2 AND attempt IS NOT NULL ORDER BY id FOR UPDATE`

type Intent = { readonly row: AttemptRow } | PaymentAnswer | typeof PLAN_AGAIN

const storeIntent = async (
  movement: MovementToAsk,
  run: RunStatement,
  deps: OutsideDeps,
): Promise<Intent> => {
  const { environmentId, gateway: number } = movement
  const [order] = await run({ text: ORDER, values: [environmentId, movement.order] })
  if (order?.['xmin'] !== movement.orderVersion) return PLAN_AGAIN
  const open = await run<AttemptRow>({ text: OPEN, values: [environmentId, movement.order] })
  const now = deps.clock.now()
  const same = open.find((row) => isSame(row, movement))
  const state = same === undefined ? undefined : stateOf(same)
  if (same !== undefined && (state === 'unknown' || isStale(same, now))) {
    if (state === 'answered') return { kind: 'moved', id: same.id }
    return { row: await claim(same, 'asking', run, deps) }
  }
  refuseWhileAsking(
    open.filter(({ id }) => !movement.held.includes(id)),
    now,
  )
  const [gateway] = await run<GatewayRow>(selectRow('payment_gateways', environmentId, number, false))
  const isOpen = gateway?.circuit_state === 'open'
  const columns: Row = {
    ...(await newColumns(movement, order, run)),
    ...(isOpen
      ? { ...failureColumns('circuit_open', CIRCUIT_OPEN), attempt: null }
      : { attempt: 'asking', attempted_at: now, attempts_count: 1 }),
  }
  const { type } = movement
  const topics = [`${type}.create`, 'transactions.create']
  const failed = [`${type}.failed`, 'transactions.refused']
  const [reserved] = await run(reserveNumbers('transactions', 1))
  const [row] = await persist(
    [
      {
        definition: deps.registry.require(type),
        number: numberOf(reserved ?? {}),
        before: undefined,
        columns,
        topics: isOpen ? [...topics, ...failed] : topics,
      },
    ],
    { run, registry: deps.registry, environmentId, actor: SYSTEM },
  )
  const stored = await reread(numberOf(row ?? reserved ?? {}), environmentId, run)
  if (isOpen) return { kind: 'failed', id: stored.id, message: CIRCUIT_OPEN }
  await relockOrder(environmentId, movement.order, run)
  return { row: stored }
}

const CIRCUIT_OPEN = 'the gateway failed too often and is not asked any more; send it _reset_circuit'

const reread = async (id: number, environmentId: number, run: RunStatement): Promise<AttemptRow> => {
  const [row] = await run<AttemptRow>(selectRow('transactions', environmentId, id, false))
  if (row === undefined) throw new Error(`transaction ${id} was not stored`)
  return row
}

const newColumns = async (movement: MovementToAsk, order: Row, run: RunStatement): Promise<Row> => {
  const { environmentId, type, amountCents, currencyCode, origin, gateway, source } = movement
  const scope = await scopeOf(environmentId, run)
  const text = 'SELECT count(*)::int AS count FROM transactions WHERE environment_id = $1 AND order_id = $2'
  const [counted] = await run<{ readonly count: number }>({ text, values: [environmentId, movement.order] })
  const position = (counted?.count ?? 0) + 1
  return {
    type,
    order_id: movement.order,
    number: await transactionNumber(order, [], position, { run, scope }),
    currency_code: currencyCode,
    amount_cents: amountCents,
    payment_gateway_id: gateway,
    ...source,
    reference_authorization_id: type === 'refunds' ? null : origin,
    reference_capture_id: type === 'refunds' ? origin : null,
  }
}

/** The same money for the same reason: it is asked for again, not once more. */
const isSame = (row: AttemptRow, movement: MovementToAsk): boolean => {
  const origin = row.type === 'refunds' ? row.reference_capture_id : row.reference_authorization_id
  return (
    ['asking', 'answered', 'unknown'].includes(stateOf(row) ?? '') &&
    row.type === movement.type &&
    row.amount_cents === movement.amountCents &&
    origin === movement.origin &&
    row.payment_gateway_id === movement.gateway &&
    row.payment_source_type === movement.source.payment_source_type &&
    row.payment_source_id === movement.source.payment_source_id
  )
}

/** Another request is asking the gateway about this order. */
const refuseWhileAsking = (open: readonly AttemptRow[], now: Date): void => {
  const asking = open.find((row) => ['asking', 'answered'].includes(stateOf(row) ?? ''))
  if (asking === undefined) return
  throw paymentInFlight(isStale(asking, now) ? 60 : 5)
}
