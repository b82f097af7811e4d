/** What decides whether an order can be placed, read once for all checks. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../../engine/database/rows.ts'
import { rowOf } from '../../engine/database/rows.ts'
import { selectRow } from '../../engine/sql/select-rows.ts'
import type { WorkflowStep } from '../../engine/write/write-workflow.ts'
import { selectOfferedMethod } from '../../payments/offer.ts'
import { offersOf } from '../../shipping/available-methods.ts'
import { violationOfTaxes } from '../../taxes/tax-order.ts'
import { violationOfCoupon } from '../coupon-of-order.ts'
import { violationOfGiftCard } from '../gift-card-of-order.ts'
import type { OrderedStock } from '../stock/order-stock.ts'
import { availableAt } from '../stock/stock-places.ts'
import { isPurchasable } from '../totals/order-amounts.ts'
import type { PublicIdsOf } from '../totals/order-amounts.ts'

export interface OrderedSku {
  readonly code: string
  /** The sum over its lines. */
  readonly quantity: number
  readonly isShipped: boolean
  readonly isTracked: boolean
  /** Whether a location of the market has it, in any quantity. */
  readonly isStocked: boolean
  readonly available: number
}

export interface PlaceableFacts {
  readonly order: RowOf<'Order'>
  readonly now: Date
  /** All lines, as they will be. */
  readonly lines: readonly Row[]
  readonly ids: PublicIdsOf
  readonly goodsCount: number
  readonly skus: readonly OrderedSku[]
  readonly billingAddress: RowOf<'Address'> | undefined
  readonly shippingAddress: RowOf<'Address'> | undefined
  readonly shipments: readonly ShipmentFact[]
  readonly paymentMethod: PaymentMethodFact | undefined
  /** What stands against the coupon of the order. */
  readonly coupon: WriteViolation | undefined
  /** What stands against the gift card of the order. */
  readonly giftCard: WriteViolation | undefined
  /** Why nobody can say what its taxes are. */
  readonly taxes: WriteViolation | undefined
}

export interface ShipmentFact {
  readonly number: string
  readonly hasMethod: boolean
  readonly isMethodAvailable: boolean
}

export interface PaymentMethodFact {
  readonly name: string
  readonly sourceType: string
  /** Whether the order may still use it. */
  readonly isOffered: boolean
}

/** Returns what stands against placing the order, or nothing. */
export type PlaceableCheck = (facts: PlaceableFacts) => readonly WriteViolation[]

type Reading = Pick<WorkflowStep, 'run' | 'scope' | 'now' | 'registry'>

export const readPlaceableFacts = async (
  order: RowOf<'Order'>,
  lines: readonly Row[],
  ordering: Promise<OrderedStock>,
  step: Reading,
): Promise<PlaceableFacts> => {
  const [ordered, addresses, shipments, paymentMethod, coupon, giftCard, taxes] = await Promise.all([
    ordering,
    readAddresses(order, step),
    readShipments(order.id, step),
    readPaymentMethod(order, step),
    violationOfCoupon(order, { attribute: 'coupon_code' }, step),
    violationOfGiftCard(order, step),
    violationOfTaxes(order, step),
  ])
  return {
    order,
    now: step.now,
    lines,
    ids: step.registry.ids,
    goodsCount: lines.filter(isPurchasable).length,
    skus: toOrderedSkus(ordered),
    ...addresses,
    shipments,
    paymentMethod,
    coupon,
    giftCard,
    taxes,
  }
}

const toOrderedSkus = ({ skus, lines, places }: OrderedStock): readonly OrderedSku[] =>
  [...skus.values()].map((sku) => {
    const its = places.filter((place) => place.sku_id === sku.id)
    return {
      code: sku.code,
      quantity: sumOf(lines.filter((line) => line.sku === sku.id).map(({ quantity }) => quantity)),
      isShipped: !sku.do_not_ship,
      isTracked: !sku.do_not_track,
      isStocked: its.length > 0,
      available: sumOf(its.filter((place) => place.is_counted).map(availableAt)),
    }
  })

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

/** Billing and shipping address are often the same one. */
const readAddresses = async (
  { billing_address_id: billing, shipping_address_id: shipping }: RowOf<'Order'>,
  { run, scope }: Reading,
): Promise<Pick<PlaceableFacts, 'billingAddress' | 'shippingAddress'>> => {
  const numbers = [billing, shipping].filter((number) => number !== null)
  if (numbers.length === 0) return { billingAddress: undefined, shippingAddress: undefined }
  const rows = await run<RowOf<'Address'>>({
    text: 'SELECT * FROM addresses WHERE environment_id = $1 AND id = ANY($2::bigint[])',
    values: [scope.environmentId, numbers],
  })
  const addressOf = (number: number | null) => rows.find(({ id }) => id === number)
  return { billingAddress: addressOf(billing), shippingAddress: addressOf(shipping) }
}

type ShipmentColumns = Pick<RowOf<'Shipment'>, 'id' | 'number' | 'shipping_method_id'>

const readShipments = async (order: number, step: Reading): Promise<readonly ShipmentFact[]> => {
  const shipments = await step.run<ShipmentColumns>({
    text: `SELECT id, number, shipping_method_id FROM shipments
      WHERE environment_id = $1 AND order_id = $2 AND status <> 'cancelled' ORDER BY id`,
    values: [step.scope.environmentId, order],
  })
  const offers = await offersOf(
    shipments.map(({ id }) => id),
    step,
  )
  return shipments.map(({ id, number, shipping_method_id: chosen }) => ({
    number,
    hasMethod: chosen !== null,
    isMethodAvailable: offers.some(
      ({ shipment, methods }) => shipment.number === id && methods.some(({ method }) => method.id === chosen),
    ),
  }))
}

const readPaymentMethod = async (
  order: RowOf<'Order'>,
  { run, scope }: Reading,
): Promise<PaymentMethodFact | undefined> => {
  const number = order.payment_method_id
  if (number === null) return undefined
  const place = { store: order.store_id, market: order.market_id, currency: order.currency_code }
  const [[found], offered] = await Promise.all([
    run(selectRow('payment_methods', scope.environmentId, number, false)),
    run(selectOfferedMethod(scope.environmentId, number, place)),
  ])
  if (found === undefined) return undefined
  const { name, payment_source_type: sourceType } = rowOf('PaymentMethod', found)
  return { name, sourceType, isOffered: offered.length > 0 }
}
