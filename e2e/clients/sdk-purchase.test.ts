/** The unmodified npm package @commercelayer/sdk buys as guest and customer in every currency of the demo, and the merchant refunds. */
import { CommerceLayer } from '@commercelayer/sdk/bundle'
import { accessToken, customerToken } from '../support/connect.ts'
import { environment } from '../support/demo.ts'
import { createMappedFetch } from '../support/mapped-fetch.ts'
import { ADDRESS } from '../support/sell.ts'
import type { TokenBody } from '../support/wire.ts'

/** Orders stay out of the organization that other suites count. */
const ORGANIZATION = 1

const clientWith = (token: string) => CommerceLayer({ accessToken: token, fetch: createMappedFetch().fetch })
type Client = ReturnType<typeof clientWith>

const merchant = async () => clientWith(await accessToken('integration', { organization: ORGANIZATION }))

const scopeOf = (market: string) => ({ organization: ORGANIZATION, scope: `market:id:${market}` })

const guest = async (market: string) => clientWith(await accessToken('sales_channel', scopeOf(market)))

const customer = async (market: string) =>
  clientWith((await customerToken(scopeOf(market))).json<TokenBody>().access_token)

const MARKETS = environment('test', ORGANIZATION).markets.filter((market) => !market.private)

/** The code of a SKU that can be bought in the client's market. */
const inStock = async (cl: Client): Promise<string> => {
  for (const { id } of await cl.skus.list({ filters: { do_not_track_false: true }, pageSize: 25 })) {
    const { code, inventory } = await cl.skus.retrieve(id)
    const { available, quantity } = inventory as { available?: boolean; quantity?: number }
    if (available === true && Number(quantity) >= 2) return code ?? ''
  }
  throw new Error('nothing is in stock')
}

/** Everything up to the placed order. */
const buy = async (cl: Client, email?: string) => {
  const { id } = await cl.orders.create({})
  const order = cl.orders.relationship(id)
  await cl.line_items.create({ order, sku_code: await inStock(cl), quantity: 2 })
  const address = cl.addresses.relationship((await cl.addresses.create(ADDRESS)).id)
  await cl.orders.update({
    id,
    ...(email === undefined ? {} : { customer_email: email }),
    shipping_address: address,
    billing_address: address,
  })
  const shipments = await cl.orders.shipments(id, { include: ['available_shipping_methods'] })
  for (const shipment of shipments) {
    const [method] = shipment.available_shipping_methods ?? []
    await cl.shipments.update({
      id: shipment.id,
      shipping_method: cl.shipping_methods.relationship(method?.id ?? ''),
    })
  }
  const { available_payment_methods: methods } = await cl.orders.retrieve(id, {
    include: ['available_payment_methods'],
  })
  const transfer = methods?.find(({ payment_source_type: type }) => type === 'wire_transfers')
  await cl.orders.update({ id, payment_method: cl.payment_methods.relationship(transfer?.id ?? '') })
  await cl.wire_transfers.create({ order })
  return cl.orders.update({ id, _place: true })
}

const BUYERS = MARKETS.flatMap((market, at) => [
  { who: 'a guest', market, open: guest, email: `sdk-guest-${at}-${Date.now()}@example.com` },
  { who: 'a customer', market, open: customer, email: undefined },
])

test('the demo sells in four currencies', async () => {
  const cl = await merchant()
  const lists = await Promise.all(MARKETS.map(({ id }) => cl.markets.price_list(id)))
  expect(new Set(lists.map(({ currency_code: code }) => code)).size).toBe(4)
})

test.each(BUYERS)(
  '$who buys in $market.code, and is given the money back',
  async ({ market, open, email }) => {
    const placed = await buy(await open(market.id), email)
    expect(placed).toMatchObject({
      status: 'placed',
      payment_status: 'authorized',
      guest: email !== undefined,
    })
    const total = placed.total_amount_with_taxes_cents ?? 0
    expect(total).toBeGreaterThan(0)

    const cl = await merchant()
    await cl.orders.update({ id: placed.id, _approve: true })
    const paid = await cl.orders.update({ id: placed.id, _capture: true })
    expect(paid).toMatchObject({
      status: 'approved',
      payment_status: 'paid',
      fulfillment_status: 'in_progress',
    })
    const [capture] = await cl.orders.captures(placed.id)
    expect(capture).toMatchObject({ amount_cents: total, refund_balance_cents: total, succeeded: true })

    const part = Math.floor(total / 3)
    await cl.captures.update({ id: capture?.id ?? '', _refund: true, _refund_amount_cents: part })
    expect(await cl.orders.retrieve(placed.id)).toMatchObject({
      status: 'approved',
      payment_status: 'partially_refunded',
    })
    expect(await cl.orders.update({ id: placed.id, _refund: true })).toMatchObject({
      status: 'cancelled',
      payment_status: 'refunded',
      fulfillment_status: 'unfulfilled',
    })
    const refunds = await cl.orders.refunds(placed.id)
    expect(
      Array.from(refunds, ({ amount_cents: cents }) => cents).toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual([part, total - part].toSorted((a, b) => a - b))
  },
)
