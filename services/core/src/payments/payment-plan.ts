/** The payment of one order while it is planned: its ledger and status as they will be, and the writes that lead there. */
import type { Row } from '@merx/jsonapi/attributes'
import { rowOf } from '../engine/database/rows.ts'
import { reserveNumbers } from '../engine/sql/reserve-numbers.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import { transition } from '../states/transition.ts'
import type { MovementName } from './gateway.ts'
import { requireGateway } from './gateways/adapters.ts'
import { withMovement } from './ledger.ts'
import type { Movement, TransactionType } from './ledger.ts'
import { GIVEN_UP_BY_HAND, LOCKING, stateOf } from './outside/attempt.ts'
import type { AttemptState } from './outside/attempt.ts'
import { moveOutside } from './outside/move-outside.ts'
import { paymentStates } from './payment-states.ts'
import type { PaymentTransition } from './payment-states.ts'
import type { MovementToMake, Payment, PaymentPlan, PaymentStep } from './payment.ts'
import { transactionNumber } from './transaction-number.ts'

/** `planned` are writes of the same request that come before. The order must be locked. */
export const openPayment = async (
  order: Row,
  step: PaymentStep,
  planned: readonly RowWrite[] = [],
): Promise<Payment> => {
  const text = 'SELECT * FROM transactions WHERE environment_id = $1 AND order_id = $2 ORDER BY id'
  const rows = await step.run({ text, values: [step.scope.environmentId, order['id']] })
  const stored = new Map(rows.map((row) => [numberOf(row), row]))
  for (const { definition, before, number, columns } of planned) {
    if (definition.table !== 'transactions') continue
    const id = number ?? numberOf(before ?? {})
    stored.set(id, { ...NO_SUMS, ...before, ...columns, id })
  }
  const ledger = [...stored.values()].map((row) => rowOf('Transaction', row) as Movement)
  const nothing: PaymentPlan = { violations: [], set: {}, topics: [], writes: [] }
  const payment: Payment = {
    ...nothing,
    order,
    ledger,
    stored,
    added: new Map(),
    moved: 0,
    waiting: 0,
    givenUp: [],
    step,
  }
  return ledger.length === 0 ? openImported(payment) : payment
}

/** Of an order that was imported as authorized or paid: the movements that this means, as if they had been made here. */
const IMPORTED: Readonly<Record<string, readonly TransactionType[]>> = {
  authorized: ['authorizations'],
  paid: ['authorizations', 'captures'],
}

const openImported = async (payment: Payment): Promise<Payment> => {
  const { order, step } = payment
  const {
    payment_status: status,
    total_amount_with_taxes_cents: due,
    payment_method_id,
  } = rowOf('Order', order)
  const types = IMPORTED[status] ?? []
  if (types.length === 0 || due === 0) return payment
  const text = 'SELECT payment_gateway_id FROM payment_methods WHERE environment_id = $1 AND id = $2'
  const [method] = await step.run({ text, values: [step.scope.environmentId, payment_method_id] })
  const gateway = method?.['payment_gateway_id'] ?? null
  let opened = payment
  for (const type of types)
    opened = await withNew(
      opened,
      { type, amount_cents: due, origin: opened.ledger.at(-1)?.id ?? null },
      { message: 'Imported', payment_gateway_id: gateway, ...sourceColumns(order) },
    )
  return opened
}

/** Of an order, or of the transaction that a movement acts on. */
const sourceColumns = (row: Row): Row => {
  const { payment_source_id, payment_source_type } = rowOf('Transaction', row)
  return { payment_source_id, payment_source_type }
}

const NO_SUMS: Row = {
  reference_authorization_id: null,
  reference_capture_id: null,
  capture_amount_cents: 0,
  void_amount_cents: 0,
  refund_amount_cents: 0,
}

const TYPE_OF = {
  authorize: 'authorizations',
  capture: 'captures',
  void: 'voids',
  refund: 'refunds',
} as const satisfies Record<MovementName, TransactionType>

/** Has the gateway move the money, and adds what it did to the plan. */
export const move = async (payment: Payment, movement: MovementToMake): Promise<Payment> => {
  const { order, step, stored, added } = payment
  const { name, amountCents, origin, at } = movement
  const row = origin === undefined ? undefined : (stored.get(origin.id) ?? added.get(origin.id))
  const from = row === undefined ? undefined : rowOf('Transaction', row)
  const number = movement.gateway ?? from?.payment_gateway_id
  const gateway = await requireGateway(number, at, step)
  if ('violation' in gateway) return { ...payment, violations: [gateway.violation] }
  if ('outside' in gateway) return moveOutside(payment, movement, TYPE_OF[name], gateway.outside)
  const result = await gateway.adapter[name]({
    amountCents,
    currencyCode: rowOf('Order', order).currency_code,
    source: movement.source,
    token: from?.token ?? null,
  })
  if (!result.isSuccess)
    return { ...payment, violations: [{ at, error: 'declined', message: `was declined: ${result.message}` }] }
  return withNew(
    { ...payment, moved: payment.moved + 1 },
    { type: TYPE_OF[name], amount_cents: amountCents, origin: origin?.id ?? null },
    {
      message: result.message,
      token: result.token ?? null,
      payment_gateway_id: number,
      ...sourceColumns(from ?? order),
    },
  )
}

/** Adds a movement that succeeded, with the next number of the order. */
const withNew = async (
  payment: Payment,
  movement: Pick<Movement, 'type' | 'amount_cents'> & { readonly origin: number | null },
  columns: Row,
): Promise<Payment> => {
  const { order, step, added, ledger } = payment
  const [[reserved], number] = await Promise.all([
    step.run(reserveNumbers('transactions', 1)),
    transactionNumber(order, [...added.values()], ledger.length + 1, step),
  ])
  const id = numberOf(reserved ?? {})
  const row = {
    order_id: order['id'],
    number,
    currency_code: rowOf('Order', order).currency_code,
    ...columns,
  }
  return {
    ...payment,
    ledger: withMovement(ledger, { ...movement, id, succeeded: true }),
    added: new Map([...added, [id, row]]),
  }
}

/** Starts a transition of the order's payment status. */
export const advance = async (payment: Payment, name: PaymentTransition): Promise<Payment> => {
  if (payment.violations.length > 0) return payment
  const subject = { now: payment.step.now }
  const start = { transition: name }
  const { violations, set, topics } = await transition(paymentStates, payment.order, { start, subject })
  return {
    ...payment,
    violations,
    set: { ...payment.set, ...set },
    topics: [...payment.topics, ...topics],
    order: { ...payment.order, ...set },
  }
}

const SUMS = ['capture_amount_cents', 'void_amount_cents', 'refund_amount_cents'] as const

/** The plan with the writes of its ledger: new rows, and the sums of those that they refer to. */
export const closePayment = (payment: Payment): PaymentPlan => {
  const { violations, failure, topics, ledger, stored } = payment
  if (violations.length > 0 || failure !== undefined)
    return { violations, failure, set: {}, topics: [], writes: [] }
  const writes = ledger.flatMap((movement) => {
    const before = stored.get(movement.id)
    return before === undefined ? [insertOf(payment, movement)] : changesOf(payment, before, movement)
  })
  return { violations, set: { ...payment.set, ...openAfter(payment) }, topics, writes }
}

/** The attempt that the order still waits for. */
const openAfter = ({ order, ledger, stored, givenUp }: Payment): Row => {
  const open = ledger.find(({ id, succeeded }) => {
    const state = stateOf(stored.get(id) ?? {})
    return !succeeded && !givenUp.includes(id) && LOCKING.some((locking) => locking === state)
  })
  const id = open?.id ?? null
  return (rowOf('Order', order).open_transaction_id ?? null) === id ? {} : { open_transaction_id: id }
}

const insertOf = ({ step, added }: Payment, movement: Movement): RowWrite => {
  const { id, ...columns } = movement
  return {
    definition: step.registry.require(movement.type),
    number: id,
    before: undefined,
    columns: { ...added.get(id), ...columns },
    topics: [`${movement.type}.create`, 'transactions.create', `${movement.type}.succeeded`],
  }
}

const GIVEN_UP = {
  attempt: 'late',
  message: 'Given up',
  error_code: GIVEN_UP_BY_HAND,
} as const satisfies Row & {
  attempt: AttemptState
}

const changesOf = ({ step, givenUp }: Payment, before: Row, movement: Movement): readonly RowWrite[] => {
  const sums = SUMS.filter((name) => before[name] !== movement[name]).map((name) => [name, movement[name]])
  // One that an outside gateway moved counts from now on.
  const hasSucceeded = movement.succeeded && before['succeeded'] === false && stateOf(before) !== undefined
  const isGivenUp = givenUp.includes(movement.id)
  const columns: Row = {
    ...(Object.fromEntries(sums) as Row),
    ...(hasSucceeded ? { succeeded: true, attempt: null } : {}),
    ...(isGivenUp ? GIVEN_UP : {}),
  }
  if (Object.keys(columns).length === 0) return []
  const topics = [
    ...(hasSucceeded ? [`${movement.type}.succeeded`] : []),
    ...(isGivenUp ? [`${movement.type}.failed`, 'transactions.refused'] : []),
  ]
  const definition = step.registry.require(movement.type)
  return [{ definition, number: movement.id, before, columns, topics }]
}
