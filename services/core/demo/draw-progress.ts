/** How far an order of some age has come: most old ones are delivered, most young ones on their way. */
import type { DrawnProgress, DrawnShipmentProgress } from './drawn-order.ts'
import type { Random } from './random.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Course =
  | 'draft'
  | 'pending'
  | 'placing'
  | 'editing'
  | 'placed'
  | 'voided'
  | 'refunded'
  | 'in_progress'
  | 'fulfilled'
  | 'partially_refunded'

type Chances = readonly (readonly [Course, number])[]

/** Per cent, by the age of the order in days. */
const COURSES: readonly { readonly untilDays: number; readonly chances: Chances }[] = [
  {
    untilDays: 1.5,
    chances: [
      ['draft', 14],
      ['pending', 14],
      ['placing', 0.6],
      ['editing', 1],
      ['placed', 46],
      ['voided', 2.4],
      ['in_progress', 22],
    ],
  },
  {
    untilDays: 5,
    chances: [
      ['draft', 11],
      ['pending', 10],
      ['placing', 0.3],
      ['editing', 0.4],
      ['placed', 8],
      ['voided', 2.8],
      ['refunded', 0.5],
      ['in_progress', 50],
      ['fulfilled', 17],
    ],
  },
  {
    untilDays: Number.POSITIVE_INFINITY,
    chances: [
      ['draft', 6],
      ['pending', 7.5],
      ['placing', 0.05],
      ['placed', 0.3],
      ['voided', 2.4],
      ['refunded', 1.6],
      ['in_progress', 0.5],
      ['fulfilled', 79.5],
      ['partially_refunded', 2.2],
    ],
  },
]

export interface ProgressInput {
  readonly createdAt: Date
  readonly now: Date
  readonly hasShipment: boolean
  /** Nothing is left to pay. */
  readonly isFree: boolean
}

/** Whether this is a cart nobody has finished: it has no totals to pay yet. */
export const drawCourse = (random: Random, createdAt: Date, now: Date): Course => {
  const ageDays = (now.getTime() - createdAt.getTime()) / DAY_MS
  const chances = COURSES.find(({ untilDays }) => ageDays < untilDays)?.chances ?? []
  return random.weighted(chances)
}

/** A moment between `leastMs` and `mostMs` after another, but never in the future. */
type Later = (from: Date, leastMs: number, mostMs: number) => Date

const laterUntil =
  (random: Random, now: Date): Later =>
  (from, leastMs, mostMs) =>
    new Date(
      Math.min(now.getTime(), from.getTime() + leastMs + Math.floor(random.next() * (mostMs - leastMs))),
    )

export const drawProgress = (random: Random, course: Course, input: ProgressInput): DrawnProgress => {
  const { createdAt, now, hasShipment, isFree } = input
  const later = laterUntil(random, now)
  const open = { ...UNTOUCHED, fulfillmentStatus: hasShipment ? 'unfulfilled' : 'not_required' }
  if (course === 'draft' || course === 'pending' || course === 'placing') {
    return { ...open, status: course, updatedAt: later(createdAt, 0, 3 * HOUR_MS) }
  }
  const placedAt = later(createdAt, MINUTE_MS, 2 * HOUR_MS)
  const placed = {
    ...open,
    placedAt,
    paymentUpdatedAt: placedAt,
    paymentStatus: isFree ? 'free' : 'authorized',
  }
  if (course === 'placed' || course === 'editing') {
    return {
      ...placed,
      status: course,
      updatedAt: placedAt,
      shipment: { ...DRAFT_SHIPMENT, status: 'upcoming' },
    }
  }
  const approvedAt = later(placedAt, 10 * MINUTE_MS, 20 * HOUR_MS)
  if (course === 'voided' || course === 'refunded') {
    const cancelledAt = later(approvedAt, HOUR_MS, 2 * DAY_MS)
    return { ...placed, ...cancelled(course, approvedAt, cancelledAt, isFree) }
  }
  return { ...placed, ...approved(random, course, approvedAt, input, later) }
}

/** Paid, and on its way or there. */
const approved = (
  random: Random,
  course: 'in_progress' | 'fulfilled' | 'partially_refunded',
  approvedAt: Date,
  { hasShipment, isFree }: ProgressInput,
  later: Later,
) => {
  const paidAt = later(approvedAt, MINUTE_MS, 6 * HOUR_MS)
  const isOnItsWay = course === 'in_progress'
  const shipment = drawShipment(random, isOnItsWay, paidAt, later)
  const reachedAt =
    shipment.deliveredAt ?? shipment.shippedAt ?? shipment.readyToShipAt ?? shipment.packingAt ?? paidAt
  const isPartial = course === 'partially_refunded' && !isFree
  const refundedAt = isPartial ? later(reachedAt, DAY_MS, 14 * DAY_MS) : null
  const shippedStatus = isOnItsWay ? 'in_progress' : 'fulfilled'
  const paidStatus = isFree ? 'free' : 'paid'
  return {
    status: 'approved' as const,
    approvedAt,
    paymentStatus: isPartial ? 'partially_refunded' : paidStatus,
    paymentUpdatedAt: refundedAt ?? paidAt,
    fulfillmentStatus: hasShipment ? shippedStatus : 'not_required',
    fulfillmentUpdatedAt: hasShipment ? (shipment.shippedAt ?? paidAt) : null,
    archivedAt:
      course === 'fulfilled' && random.chance(0.15) ? later(reachedAt, 30 * DAY_MS, 90 * DAY_MS) : null,
    updatedAt: refundedAt ?? reachedAt,
    shipment,
    refunded: isPartial ? random.between(10, 60) / 100 : 0,
  }
}

/** Before it was paid the authorization is voided, after that everything is paid back. */
const cancelled = (course: 'voided' | 'refunded', approvedAt: Date, cancelledAt: Date, isFree: boolean) => ({
  status: 'cancelled' as const,
  paymentStatus: isFree ? 'free' : course,
  approvedAt: course === 'refunded' ? approvedAt : null,
  cancelledAt,
  paymentUpdatedAt: cancelledAt,
  updatedAt: cancelledAt,
  shipment: { ...DRAFT_SHIPMENT, status: 'cancelled' as const, cancelledAt },
  refunded: course === 'refunded' && !isFree ? 1 : 0,
})

const DRAFT_SHIPMENT: DrawnShipmentProgress = {
  status: 'draft',
  onHoldAt: null,
  pickingAt: null,
  packingAt: null,
  readyToShipAt: null,
  shippedAt: null,
  deliveredAt: null,
  cancelledAt: null,
}

/** An order that was only made. */
const UNTOUCHED = {
  placedAt: null,
  approvedAt: null,
  cancelledAt: null,
  archivedAt: null,
  paymentUpdatedAt: null,
  fulfillmentUpdatedAt: null,
  paymentStatus: 'unpaid',
  shipment: DRAFT_SHIPMENT,
  refunded: 0,
}

/** On its way, or there; one in thirty waited for something first. */
const drawShipment = (
  random: Random,
  isOnItsWay: boolean,
  paidAt: Date,
  later: Later,
): DrawnShipmentProgress => {
  const onHoldAt = random.chance(1 / 30) ? later(paidAt, MINUTE_MS, HOUR_MS) : null
  const pickingAt = later(onHoldAt ?? paidAt, HOUR_MS, (onHoldAt === null ? 1 : 3) * DAY_MS)
  const packingAt = later(pickingAt, 20 * MINUTE_MS, 5 * HOUR_MS)
  const readyToShipAt = later(packingAt, 10 * MINUTE_MS, 3 * HOUR_MS)
  const before = { ...DRAFT_SHIPMENT, onHoldAt }
  if (isOnItsWay) {
    const status = random.weighted(ON_ITS_WAY)
    return {
      ...before,
      status,
      onHoldAt: status === 'on_hold' ? (onHoldAt ?? paidAt) : onHoldAt,
      pickingAt: status === 'on_hold' ? null : pickingAt,
      packingAt: status === 'packing' || status === 'ready_to_ship' ? packingAt : null,
      readyToShipAt: status === 'ready_to_ship' ? readyToShipAt : null,
    }
  }
  const shippedAt = later(readyToShipAt, HOUR_MS, DAY_MS)
  const isDelivered = random.chance(0.85)
  return {
    ...before,
    status: isDelivered ? 'delivered' : 'shipped',
    pickingAt,
    packingAt,
    readyToShipAt,
    shippedAt,
    deliveredAt: isDelivered ? later(shippedAt, DAY_MS, 6 * DAY_MS) : null,
  }
}

const ON_ITS_WAY = [
  ['picking', 50],
  ['packing', 25],
  ['ready_to_ship', 20],
  ['on_hold', 5],
] as const
