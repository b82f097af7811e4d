/** Plans a movement of an outside gateway from what is known; what is not known yet ends the plan (payment-call.ts). */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../../engine/database/rows.ts'
import { askOutside } from '../../engine/write/outside-calls.ts'
import { withSuccess } from '../ledger.ts'
import type { Movement, TransactionType } from '../ledger.ts'
import type { MovementToMake, Payment } from '../payment.ts'
import { stateOf } from './attempt.ts'
import type { AttemptRow } from './attempt.ts'
import { QUESTIONS } from './gateway-question.ts'
import type { GatewayRow } from './gateway-question.ts'
import { paymentInFlight } from './in-flight.ts'
import { paymentCall } from './payment-call.ts'
import { recoveryCall } from './recover.ts'

export const moveOutside = async (
  payment: Payment,
  movement: MovementToMake,
  type: TransactionType,
  gateway: GatewayRow,
): Promise<Payment> => {
  const { order, step, stored } = payment
  const { amountCents, origin, at } = movement
  const { url } = QUESTIONS[type]
  if ((gateway[url] ?? '') === '')
    return refused(payment, {
      at,
      error: 'not_supported',
      message: `cannot be done: the gateway has no ${url}`,
    })
  if (isPending(payment, type, origin)) return { ...payment, waiting: payment.waiting + 1 }
  if (origin !== undefined && !stored.has(origin.id))
    return refused(payment, { at, error: 'not_stored', message: `cannot be done yet: ${NOT_STORED}` })
  const unclear = unclearOf(payment, movement, type)
  if (unclear !== undefined && askOutside(recoveryCall(unclear), step).isUnclear)
    return refused(payment, { at, error: 'unclear', message: `cannot be done: ${UNCLEAR}` })
  const from = rowOf('Transaction', (origin === undefined ? undefined : stored.get(origin.id)) ?? order)
  const answer = askOutside(
    paymentCall({
      environmentId: step.scope.environmentId,
      type,
      order: rowOf('Order', order).id,
      orderVersion: await versionOf(payment),
      held: payment.ledger.flatMap(({ id, succeeded }) => (succeeded && isAnswered(payment, id) ? [id] : [])),
      amountCents,
      currencyCode: rowOf('Order', order).currency_code,
      origin: origin?.id ?? null,
      gateway: gateway.id,
      source: { payment_source_type: from.payment_source_type, payment_source_id: from.payment_source_id },
    }),
    step,
  )
  switch (answer.kind) {
    case 'moved':
      return counted(payment, answer.id)
    case 'waiting':
      return { ...payment, waiting: payment.waiting + 1 }
    case 'declined':
      return refused(payment, { at, error: 'declined', message: `was declined: ${answer.message}` })
    case 'failed':
      return { ...payment, failure: { at, error: 'failed', message: `failed: ${answer.message}` } }
  }
}

const NOT_STORED = 'the order was imported, and `_authorize` stores what it means first'
const UNCLEAR = 'the gateway does not say what became of the last movement; try again later'

/** Of a movement whose end nobody knows: what is left depends on it, so it comes first, unless it is the same one. */
const unclearOf = (
  { stored }: Payment,
  { amountCents, origin }: MovementToMake,
  type: TransactionType,
): AttemptRow | undefined =>
  [...stored.values()]
    .map((row) => rowOf('Transaction', row))
    .find((row) => {
      const from = row.type === 'refunds' ? row.reference_capture_id : row.reference_authorization_id
      const isSame = row.type === type && row.amount_cents === amountCents && from === origin?.id
      return stateOf(row) === 'unknown' && row.type !== 'authorizations' && !isSame
    })

const refused = (payment: Payment, violation: WriteViolation): Payment => ({
  ...payment,
  violations: [violation],
})

/** As the order is stored now; it is locked, so another version is another write's. */
const versionOf = async ({ order, step: { run, scope } }: Payment): Promise<string> => {
  const text = 'SELECT xmin::text AS version FROM orders WHERE environment_id = $1 AND id = $2'
  const [row] = await run<{ readonly version: string }>({ text, values: [scope.environmentId, order['id']] })
  return row?.version ?? ''
}

/** The gateway was asked before, and answers later. */
const isPending = ({ stored }: Payment, type: TransactionType, origin: Movement | undefined): boolean =>
  [...stored.values()].some((row) => {
    const {
      type: of,
      reference_authorization_id: authorization,
      reference_capture_id: capture,
    } = rowOf('Transaction', row)
    const from = type === 'refunds' ? capture : authorization
    return stateOf(row) === 'pending' && of === type && origin !== undefined && from === origin.id
  })

const isAnswered = ({ stored }: Payment, id: number): boolean => stateOf(stored.get(id) ?? {}) === 'answered'

/** The attempt succeeds with this write. */
const counted = (payment: Payment, id: number): Payment => {
  const { stored, ledger } = payment
  const row = stored.get(id)
  const movement = ledger.find((each) => each.id === id)
  if (row === undefined || movement === undefined || !isAnswered(payment, id)) throw paymentInFlight(5)
  return { ...payment, ledger: withSuccess(ledger, movement), moved: payment.moved + 1 }
}
