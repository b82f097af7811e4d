/** Of delivered orders a few come back, in part or whole; how far that has got depends on when it began. */
import type { Random } from './random.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Steps of a return in their order, with the share of returns that end there, in per cent. */
const ENDS = [
  ['draft', 3],
  ['requested', 6],
  ['approved', 6],
  ['cancelled', 7],
  ['shipped', 8],
  ['rejected', 5],
  ['received', 20],
  ['refunded', 45],
] as const

type ReturnStatus = (typeof ENDS)[number][0]

export interface DrawnReturn {
  readonly status: ReturnStatus
  /** Position of the line among the goods of the order, and how many units of it. */
  readonly lines: readonly { readonly good: number; readonly quantity: number }[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly approvedAt: Date | null
  readonly cancelledAt: Date | null
  readonly shippedAt: Date | null
  readonly rejectedAt: Date | null
  readonly receivedAt: Date | null
  readonly refundedAt: Date | null
  readonly archivedAt: Date | null
  readonly restockedAt: Date | null
  readonly reference: string | null
  readonly tags: readonly number[]
}

export interface ReturnInput {
  /** When the goods had arrived. */
  readonly from: Date
  readonly now: Date
  /** Units of each good of the order. */
  readonly quantities: readonly number[]
  readonly tags: readonly number[]
}

/** What a return passed through before it got to its status. */
const PASSED: Readonly<Record<ReturnStatus, readonly ReturnStatus[]>> = {
  draft: [],
  requested: [],
  approved: ['approved'],
  cancelled: ['requested', 'cancelled'],
  shipped: ['approved', 'shipped'],
  rejected: ['approved', 'shipped', 'rejected'],
  received: ['approved', 'shipped', 'received'],
  refunded: ['approved', 'shipped', 'received', 'refunded'],
}

/** At least one line, seldom all, and of a line seldom less than all units. */
const drawLines = (random: Random, quantities: readonly number[]): DrawnReturn['lines'] => {
  const first = random.between(0, quantities.length - 1)
  return quantities.flatMap((quantity, good) =>
    good === first || random.chance(0.25)
      ? [{ good, quantity: random.chance(0.8) ? quantity : random.between(1, quantity) }]
      : [],
  )
}

export const drawReturn = (random: Random, { from, now, quantities, tags }: ReturnInput): DrawnReturn => {
  const status = random.weighted(ENDS)
  const later = (at: Date, leastMs: number, mostMs: number): Date =>
    new Date(Math.min(now.getTime(), at.getTime() + leastMs + Math.floor(random.next() * (mostMs - leastMs))))
  const createdAt = later(from, DAY_MS, 20 * DAY_MS)
  const reached = new Map<ReturnStatus, Date>()
  let at = createdAt
  for (const step of PASSED[status]) {
    at = later(at, HOUR_MS, 4 * DAY_MS)
    reached.set(step, at)
  }
  const receivedAt = reached.get('received') ?? null
  const isRestocked = receivedAt !== null && random.chance(0.7)
  const restockedAt = isRestocked ? later(receivedAt, HOUR_MS, DAY_MS) : null
  const isOver = status === 'refunded' || status === 'cancelled' || status === 'rejected'
  const archivedAt = isOver && random.chance(0.3) ? later(at, 30 * DAY_MS, 60 * DAY_MS) : null
  return {
    status,
    lines: drawLines(random, quantities),
    createdAt,
    updatedAt: [restockedAt, archivedAt].reduce<Date>(
      (newest, date) => (date !== null && date > newest ? date : newest),
      at,
    ),
    approvedAt: reached.get('approved') ?? null,
    cancelledAt: reached.get('cancelled') ?? null,
    shippedAt: reached.get('shipped') ?? null,
    rejectedAt: reached.get('rejected') ?? null,
    receivedAt,
    refundedAt: reached.get('refunded') ?? null,
    archivedAt,
    restockedAt,
    reference: random.chance(0.2) ? `RMA-${random.between(10_000, 99_999)}` : null,
    tags: random.chance(0.15) && tags.length > 0 ? [random.pick(tags)] : [],
  }
}
