/** How an order is paid: its method, its source, and whether the two fit. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { selectRow } from '../engine/sql/select-rows.ts'
import type { PaymentStep } from './payment.ts'
import { VENDOR_SOURCES, vendorNotCalled } from './vendors/vendors.ts'

export interface PaymentOfOrder {
  readonly method: RowOf<'PaymentMethod'>
  readonly source: Row
}

export const paymentOfOrder = async (
  order: Row,
  { run, scope, registry }: PaymentStep,
): Promise<PaymentOfOrder | { readonly violation: WriteViolation }> => {
  const { payment_method_id, payment_source_type, payment_source_id } = rowOf('Order', order)
  const isPaid = payment_source_type !== null && payment_source_id !== null
  const [[method], [source]] = await Promise.all([
    run<RowOf<'PaymentMethod'>>(
      selectRow('payment_methods', scope.environmentId, payment_method_id ?? 0, false),
    ),
    isPaid
      ? run(
          selectRow(
            registry.require(payment_source_type).table,
            scope.environmentId,
            payment_source_id,
            false,
          ),
        )
      : [],
  ])
  if (method === undefined) return { violation: blank('payment_method') }
  if (!isPaid) return { violation: blank('payment_source') }
  const mismatch = mismatchOf(payment_source_type, method)
  if (mismatch !== undefined) return { violation: mismatch }
  if (VENDOR_SOURCES.includes(payment_source_type))
    return { violation: vendorNotCalled(payment_source_type, { relationship: 'payment_source' }) }
  if (source === undefined) return { violation: blank('payment_source') }
  const gateway = reasonAgainstGateway(source, method)
  return gateway === undefined ? { method, source } : { violation: gateway }
}

/** What a gateway gave a token for cannot be paid with another one. */
export const reasonAgainstGateway = (
  { payment_gateway_id: gateway }: Row,
  method: Pick<RowOf<'PaymentMethod'>, 'payment_gateway_id'>,
): WriteViolation | undefined =>
  gateway === undefined || gateway === method.payment_gateway_id
    ? undefined
    : {
        at: { relationship: 'payment_source' },
        error: 'invalid',
        message: 'is of another payment gateway than the payment method of the order',
      }

const blank = (relationship: string): WriteViolation => ({
  at: { relationship },
  error: 'blank',
  message: "can't be blank",
})

/** A source is of the type that its order's method names. */
export const mismatchOf = (
  type: string,
  { payment_source_type: allowed }: Pick<RowOf<'PaymentMethod'>, 'payment_source_type'>,
): WriteViolation | undefined =>
  type === allowed
    ? undefined
    : {
        at: { relationship: 'payment_source' },
        error: 'invalid',
        message: `cannot be of ${type} with the payment method of the order; allowed: ${allowed}`,
        value: type,
      }
