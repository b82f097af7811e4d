import type { OrderDocument } from '@merx/order-feed/order-document'

const TEXT_MAX = 20_000

/** All text that an order can be found by, one value a line, each value once. */
export const aggregatedDetails = (document: OrderDocument): string => {
  const { customer, billing_address: billing, shipping_address: shipping, payment_method: payment } = document
  const values = [
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
    document.market.name,
    ...(customer === null ? [] : [customer.email, customer.group_name, customer.reference]),
    ...(billing === null
      ? []
      : [[billing.first_name, billing.last_name].filter(Boolean).join(' '), billing.company]),
    ...[billing, shipping].flatMap((address) =>
      address === null ? [] : [address.city, address.zip_code, address.state_code, address.country_code],
    ),
    ...(payment === null ? [] : [payment.name, payment.source_type]),
    ...document.tags.map(({ name }) => name),
    ...document.line_items.flatMap(({ code, name }) => [code, name]),
    ...document.shipments.flatMap(({ number, reference }) => [number, reference]),
    ...document.refunds.map(({ number }) => number),
  ]
  const texts = values.filter((value) => value !== null && value !== '')
  return [...new Set(texts)].join('\n').slice(0, TEXT_MAX)
}
