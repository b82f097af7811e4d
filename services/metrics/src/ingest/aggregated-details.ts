/** Builds the text of a record that full-text queries search (`aggregated_details`). */
import type { OrderDocument } from '@merx/order-feed/order-document'

const TEXT_MAX = 20_000

/** One value a line, each once, without what is missing. */
export const detailsOf = (values: readonly (string | null | undefined)[]): string => {
  const texts = new Set<string>()
  for (const value of values) if (value !== null && value !== undefined && value !== '') texts.add(value)
  return [...texts].join('\n').slice(0, TEXT_MAX)
}

/** Of whom and where: what the details of an order and of its returns have in common. */
export const namesOf = ({ market, customer }: OrderDocument): readonly (string | null | undefined)[] => [
  market.name,
  customer?.email,
  customer?.group_name,
  customer?.reference,
]

/** Of an order. */
export const aggregatedDetails = (document: OrderDocument): string => {
  const { billing_address: billing, shipping_address: shipping, payment_method: payment } = document
  return detailsOf([
    document.id,
    document.number,
    document.reference,
    document.status,
    document.payment_status,
    document.fulfillment_status,
    document.currency_code,
    document.language_code,
    document.coupon_code,
    document.gift_card_code,
    document.affiliate_code,
    ...namesOf(document),
    [billing?.first_name, billing?.last_name].filter(Boolean).join(' '),
    billing?.company,
    ...[billing, shipping].flatMap((address) => [
      address?.city,
      address?.zip_code,
      address?.state_code,
      address?.country_code,
    ]),
    payment?.name,
    payment?.source_type,
    ...document.tags.map(({ name }) => name),
    ...document.line_items.flatMap(({ code, name }) => [code, name]),
    ...document.shipments.flatMap(({ number, reference }) => [number, reference]),
    ...document.refunds.map(({ number }) => number),
  ])
}
