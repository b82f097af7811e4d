/** Computes the columns that the order document does not have: dates, durations and flags (metrics.md 7). */
import type { OrderDocument, OrderReturn } from '@merx/order-feed/order-document'
import { secondsBetween } from './instants.ts'

const latest = (...instants: readonly (string | null)[]): string | null =>
  instants.reduce(
    (newest, instant) => (instant !== null && (newest === null || instant > newest) ? instant : newest),
    null,
  )

/** When the order got its present status; an order being edited keeps the date of what it was before. */
export const currentDate = (document: OrderDocument): string => {
  const { status, created_at, placed_at, approved_at, cancelled_at } = document
  if (status === 'cancelled') return cancelled_at ?? latest(placed_at, approved_at) ?? created_at
  if (status === 'approved') return approved_at ?? placed_at ?? created_at
  if (status === 'placed') return placed_at ?? created_at
  return latest(placed_at, approved_at) ?? created_at
}

/** From creation to placement; an order that was imported with an earlier placement was no draft here. */
export const secondsInDraft = ({ created_at, placed_at }: OrderDocument): number | null =>
  placed_at !== null && placed_at < created_at ? null : secondsBetween(created_at, placed_at)

/** From placement to approval, as the published records have it. */
export const secondsInApproved = ({ placed_at, approved_at }: OrderDocument): number | null =>
  secondsBetween(placed_at, approved_at)

/** From placement to cancellation, for an order that never was approved. */
export const secondsInPlaced = ({ placed_at, approved_at, cancelled_at }: OrderDocument): number | null =>
  approved_at === null ? secondsBetween(placed_at, cancelled_at) : null

/** When the return got its present status; of a draft or a request nothing but the creation is known. */
export const currentDateOfReturn = (of: OrderReturn): string => {
  const reached: Readonly<Record<string, string | null>> = {
    approved: of.approved_at,
    cancelled: of.cancelled_at,
    shipped: of.shipped_at,
    rejected: of.rejected_at,
    received: of.received_at,
    refunded: of.refunded_at ?? of.received_at,
  }
  return reached[of.status] ?? of.created_at
}

/** When the last of its lines went back into stock; null while one has not. */
export const restockedAt = ({ line_items: lines }: OrderReturn): string | null =>
  lines.some(({ restocked_at }) => restocked_at === null)
    ? null
    : latest(...lines.map(({ restocked_at }) => restocked_at))
