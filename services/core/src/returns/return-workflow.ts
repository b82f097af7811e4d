/** Writes of returns: whose goods they are, where they go, and which capture gives the money back. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf, rowOf } from '../engine/database/rows.ts'
import type { Completion, WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { lockOrder } from '../orders/order-part.ts'
import { placeColumns, placesOf } from './return-place.ts'
import { hasLeft } from './returnable.ts'

/** It has not arrived yet. */
const UNDER_WAY: readonly string[] = ['draft', 'requested', 'approved', 'shipped']

export const returnWorkflow: WriteWorkflow = {
  lockForCreate: async (request, step) => {
    const identifier = request.toOne.get('order') ?? undefined
    const number = identifier === undefined ? undefined : step.registry.ids.decode('orders', identifier.id)
    return number === undefined ? undefined : lockOrder('$2', number, step)
  },

  lockForChange: (number, step) =>
    lockOrder('(SELECT order_id FROM returns WHERE environment_id = $1 AND id = $2)', number, step),

  completesFrom: ['order', 'stock_location', 'reference_capture'],

  complete: async (after, before, request, step): Promise<Completion> => {
    if (step.locked === undefined) return {}
    const order = rowOf('Order', step.locked)
    const violations = [
      ...(before === undefined && !(await hasLeft(order, step)) ? [notFulfilled(order)] : []),
      ...(await violationsOfCapture(after, before, order, step)),
    ]
    const place = await placeOf(after, before, request, order, step)
    const all = [...violations, ...(place.violations ?? [])]
    if (all.length > 0) return { violations: all }
    if (before !== undefined) return place
    const { customer_id, customer_email, currency_code, shipping_address_id, billing_address_id } = order
    const origin_address_id = shipping_address_id ?? billing_address_id
    const number = await nextNumber(order, step)
    return { set: { ...place.set, number, customer_id, customer_email, currency_code, origin_address_id } }
  },
}

const notFulfilled = ({ fulfillment_status: status }: RowOf<'Order'>): WriteViolation => ({
  at: { relationship: 'order' },
  error: 'not_fulfilled',
  message: `is ${status}, and nothing of it was shipped; what did not leave cannot come back`,
})

/** Sent, it must be one of the market's; a new return that names none gets the first. */
const placeOf = async (
  after: Row,
  before: Row | undefined,
  request: WriteRequest,
  order: RowOf<'Order'>,
  step: WorkflowStep,
): Promise<Completion> => {
  const isSent = request.toOne.has('stock_location')
  const { stock_location_id: location = null } = columnsOf('Return', after)
  if (!isSent && before !== undefined) return {}
  if (isSent && before !== undefined && before['stock_location_id'] === location) return {}
  const at = { relationship: 'stock_location' }
  const { status = 'draft' } = columnsOf('Return', before ?? {})
  if (!UNDER_WAY.includes(status)) {
    const message = `cannot be changed on a return that is ${status}, only while it is ${UNDER_WAY.join(' or ')}`
    return { violations: [{ at, error: 'not_editable', message }] }
  }
  const places = await placesOf(order, step)
  if (location === null) return { set: placeColumns(before === undefined ? places[0] : undefined) }
  const place = places.find((each) => each.location === location)
  if (place !== undefined) return { set: placeColumns(place) }
  const message = "is not among the return locations of the inventory model of the order's market"
  return { violations: [{ at, error: 'inclusion', message }] }
}

/** One of its order that succeeded, as long as nothing was refunded of it for the return. */
const violationsOfCapture = async (
  after: Row,
  before: Row | undefined,
  order: RowOf<'Order'>,
  { run, scope }: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  const { reference_capture_id: capture = null } = columnsOf('Return', after)
  if (capture === (before?.['reference_capture_id'] ?? null)) return []
  const at = { relationship: 'reference_capture' }
  if ((before?.['reference_refund_id'] ?? null) !== null)
    return [{ at, error: 'not_editable', message: 'cannot be changed on a return that was refunded' }]
  if (capture === null) return []
  const [found] = await run<RowOf<'Transaction'>>({
    text: 'SELECT * FROM transactions WHERE environment_id = $1 AND id = $2',
    values: [scope.environmentId, capture],
  })
  return found?.order_id === order.id && found.succeeded
    ? []
    : [{ at, error: 'invalid', message: 'must be a capture of the order that succeeded' }]
}

/** `#<order>/R/<nnn>`; a number that is taken, because orders can be renumbered, is left out. */
const nextNumber = async (
  { id, number }: RowOf<'Order'>,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<string> => {
  const [counted] = await run<{ readonly count: number }>({
    text: 'SELECT count(*)::int AS count FROM returns WHERE environment_id = $1 AND order_id = $2',
    values: [scope.environmentId, id],
  })
  for (let next = (counted?.count ?? 0) + 1; ; next += 1) {
    const candidate = `#${number}/R/${String(next).padStart(3, '0')}`
    const text = 'SELECT 1 FROM returns WHERE environment_id = $1 AND number = $2'
    const [taken] = await run({ text, values: [scope.environmentId, candidate] })
    if (taken === undefined) return candidate
  }
}
