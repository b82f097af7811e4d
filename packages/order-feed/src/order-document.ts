/**
 * The order document: what core publishes about one order, and all that metrics knows of it. The types follow from the list of
 * fields (order-fields.ts); a change of their meaning raises `ORDER_DOCUMENT_SCHEMA`.
 */
import type { RecordOf } from './field.ts'
import type {
  lineItemFields,
  orderFields,
  resourceErrorFields,
  returnFields,
  returnLineItemFields,
  shipmentFields,
  tagFields,
} from './order-fields.ts'

export { ORDER_DOCUMENT_SCHEMA } from './order-fields.ts'

export type OrderDocument = RecordOf<typeof orderFields>
export type OrderAmounts = OrderDocument['amounts']
export type OrderAddress = NonNullable<OrderDocument['shipping_address']>
export type OrderLineItem = RecordOf<typeof lineItemFields>
export type OrderShipment = RecordOf<typeof shipmentFields>
export type OrderReturn = RecordOf<typeof returnFields>
export type OrderReturnLineItem = RecordOf<typeof returnLineItemFields>
export type OrderResourceError = RecordOf<typeof resourceErrorFields>
export type OrderTag = RecordOf<typeof tagFields>
export type OrderNamed = NonNullable<OrderShipment['stock_location']>

/** One entry of `GET /internal/order-feed`, in commit order. A deleted order keeps its identity and version. */
export type OrderFeedEntry =
  | { readonly kind: 'upsert'; readonly document: OrderDocument }
  | {
      readonly kind: 'delete'
      readonly organization_id: string
      readonly mode: 'test' | 'live'
      readonly id: string
      readonly version: number
    }

/** One page of the feed. `cursor` is opaque and goes back as `after`; `caught_up` says that nothing was left to send. */
export interface OrderFeedPage {
  readonly entries: readonly OrderFeedEntry[]
  readonly cursor: string
  readonly caught_up: boolean
}
