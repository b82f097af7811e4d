/** An order stays as it is while an outside gateway is asked for its money. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../../engine/database/rows.ts'

export const isBeingPaid = (order: Row): boolean =>
  (columnsOf('Order', order).open_transaction_id ?? null) !== null

/** Throws AppError `locked`. */
export const refuseWhilePaying = (order: Row): void => {
  if (isBeingPaid(order)) throw paymentInFlight(5)
}

/** Another request is asking the gateway about the order. */
export const paymentInFlight = (retryAfterSeconds: number): AppError =>
  new AppError('locked', {
    detail: 'A payment of the order is being processed; try again in some seconds.',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
