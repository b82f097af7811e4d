/**
 * A shop takes payments with its own gateway. The merchant connects the small bank of bank/, which runs in this script; a
 * guest pays with it. The first answer of the bank gets lost, the second attempt asks the same question again, and the bank
 * moves the money once. Then the merchant captures.
 */
import { openBank } from './bank/bank.mjs'
import { fillCart, link, writer } from './shared/cart.mjs'
import { credentials, market, print, storefrontToken, tokenFor } from './shared/merx.mjs'

const merchant = writer(await tokenFor(credentials.integration))
const guest = await storefrontToken(`market:id:${market.id}`)
const storefront = writer(guest)

const bank = await openBank({ secret: '' })
try {
  const gateway = await merchant.create('external_gateways', {
    name: 'Example bank',
    authorize_url: `${bank.url}/authorize`,
    capture_url: `${bank.url}/capture`,
    void_url: `${bank.url}/void`,
    refund_url: `${bank.url}/refund`,
  })
  bank.setSecret(gateway.attributes.shared_secret)
  const method = await merchant.create(
    'payment_methods',
    { payment_source_type: 'external_payments', price_amount_cents: 0 },
    { payment_gateway: link('external_gateways', gateway.id), market: link('markets', market.id) },
  )

  const order = await fillCart(guest)
  await storefront.change(order, {}, { payment_method: link('payment_methods', method.id) })
  await storefront.create(
    'external_payments',
    { payment_source_token: 'tok_visa' },
    { order: link('orders', order.id) },
  )

  bank.setFault('close')
  const first = await storefront.change(order, { _place: true })
  bank.setFault('none')
  const second = await storefront.change(order, { _place: true })
  await merchant.change(order, { _approve: true })
  const captured = await merchant.change(order, { _capture: true })
  // It lives as long as this script, so no other order is offered it.
  await merchant.change(method, { _disable: true })

  print({
    answer_lost: `${first.attributes.status}, ${first.attributes.payment_status}`,
    asked_again: `${second.attributes.status}, ${second.attributes.payment_status}`,
    captured: `${captured.attributes.status}, ${captured.attributes.payment_status}`,
    questions: bank.asked.length,
    book: bank.book.map(({ name, amount_cents }) => `${name} ${amount_cents}`),
    is_signed: bank.asked.every(({ signed }) => signed),
  })
} finally {
  await bank.close()
}
