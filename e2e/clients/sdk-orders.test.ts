/** The unmodified npm package @commercelayer/sdk: orders with their lines, tags, attachments, and the log of all that. */
import { CommerceLayerStatic, type ApiError, type Sku } from '@commercelayer/sdk'
import { CommerceLayer } from '@commercelayer/sdk/bundle'
import { eventually } from '@merx/testing/eventually'
import { accessToken, connect } from '../support/connect.ts'
import { publicMarket } from '../support/demo.ts'
import { ALL_TIME } from '../support/every-order.ts'
import { createMappedFetch } from '../support/mapped-fetch.ts'
import type { StatsAnswer } from '../support/wire.ts'

/** Writes stay out of the organization that other suites count. */
const ORGANIZATION = 1

const client = async () =>
  CommerceLayer({
    accessToken: await accessToken('integration', { organization: ORGANIZATION }),
    fetch: createMappedFetch().fetch,
  })

type Client = Awaited<ReturnType<typeof client>>

const publicMarketId = (): string => publicMarket('test', ORGANIZATION).id

/** A SKU that can be sold in the market, and how many of it there are. */
const stockedSku = async (): Promise<{ readonly sku: Sku; readonly quantity: number }> => {
  const shopper = CommerceLayer({
    accessToken: await accessToken('sales_channel', {
      organization: ORGANIZATION,
      scope: `market:id:${publicMarketId()}`,
    }),
    fetch: createMappedFetch().fetch,
  })
  const page = await shopper.skus.list({ filters: { do_not_track_false: true }, pageSize: 25 })
  for (const { id } of page) {
    const sku = await shopper.skus.retrieve(id)
    const quantity = Number((sku.inventory as { quantity?: number } | null)?.quantity ?? 0)
    if (quantity >= 3) return { sku, quantity }
  }
  throw new Error('nothing is in stock')
}

const errorOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!CommerceLayerStatic.isApiError(error)) throw new Error(`no ApiError but ${String(error)}`)
  return error
}

const begin = (cl: Client, email?: string) =>
  cl.orders.create({
    market: cl.markets.relationship(publicMarketId()),
    ...(email === undefined ? {} : { customer_email: email }),
  })

const unique = (name: string): string => `${name}-${Date.now()}-${Math.random().toString(36).slice(2, 8)}`

describe('orders and line items', () => {
  test('are created, filled, changed, emptied and deleted, and add up at every step', async () => {
    const cl = await client()
    const { sku } = await stockedSku()
    const order = await begin(cl, `${unique('buyer')}@example.com`)
    expect(order).toMatchObject({ status: 'draft', total_amount_cents: 0 })

    const line = await cl.line_items.create({
      order: cl.orders.relationship(order.id),
      sku_code: sku.code,
      quantity: 2,
    })
    const unit = line.unit_amount_cents ?? 0
    expect(line).toMatchObject({ sku_code: sku.code, name: sku.name, total_amount_cents: 2 * unit })
    const filled = await cl.orders.retrieve(order.id, { include: ['line_items', 'customer'] })
    expect(filled).toMatchObject({ status: 'pending', skus_count: 2, subtotal_amount_cents: 2 * unit })
    expect(filled.line_items?.map(({ sku_code: code }) => code)).toContain(sku.code)

    await cl.line_items.update({ id: line.id, quantity: 3, metadata: { gift: true } })
    expect(await cl.orders.retrieve(order.id)).toMatchObject({
      skus_count: 3,
      subtotal_amount_cents: 3 * unit,
    })
    const again = await cl.line_items.create({
      order: cl.orders.relationship(order.id),
      item: cl.skus.relationship(sku.id),
      quantity: 1,
      unit_amount_cents: 7,
    })
    expect(await cl.orders.retrieve(order.id)).toMatchObject({ subtotal_amount_cents: 3 * unit + 7 })

    await cl.line_items.delete(again.id)
    await cl.line_items.delete(line.id)
    expect(await cl.orders.retrieve(order.id)).toMatchObject({ status: 'draft', subtotal_amount_cents: 0 })
    await cl.orders.delete(order.id)
    expect((await errorOf(cl.orders.retrieve(order.id))).status).toBe(404)
  })

  test('say what is wrong with a line', async () => {
    const cl = await client()
    const { sku, quantity } = await stockedSku()
    const order = await begin(cl)
    const of = cl.orders.relationship(order.id)
    const unknown = await errorOf(cl.line_items.create({ order: of, sku_code: 'NO-SUCH-CODE', quantity: 1 }))
    expect(unknown.first()).toMatchObject({
      code: 'VALIDATION_ERROR',
      source: { pointer: '/data/attributes/sku_code' },
    })
    const tooMany = await errorOf(
      cl.line_items.create({ order: of, sku_code: sku.code, quantity: quantity + 1_000_000 }),
    )
    expect(tooMany.first()).toMatchObject({ title: 'is out of stock', meta: { error: 'out_of_stock' } })
    await cl.orders.delete(order.id)
  })

  test('arrive in metrics, as a cart while they are pending', async () => {
    const cl = await client()
    const { sku } = await stockedSku()
    const order = await begin(cl, `${unique('buyer')}@example.com`)
    await cl.line_items.create({ order: cl.orders.relationship(order.id), sku_code: sku.code, quantity: 2 })
    const { total_amount_with_taxes_float: total } = await cl.orders.retrieve(order.id)
    const token = await accessToken('integration', { organization: ORGANIZATION })
    const filter = { order: { ...ALL_TIME, date_field: 'created_at', ids: { in: [order.id] } } }
    const sum = async (): Promise<number> => {
      const body = { stats: { field: 'order.total_amount_with_taxes', operator: 'sum' }, filter }
      const reply = await connect().metrics('carts/stats', body, { token })
      expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 })
      return Number(reply.json<StatsAnswer>().data.value)
    }
    expect(total).toBeGreaterThan(0)
    await eventually(async () => Math.abs((await sum()) - (total ?? 0)) < 0.005)
  })
})

describe('tags', () => {
  test('are made, put on orders and SKUs, found by name, taken off and deleted', async () => {
    const cl = await client()
    const name = unique('t').slice(0, 25)
    const tag = await cl.tags.create({ name })
    const order = await begin(cl)
    const tagged = await cl.orders.update(
      { id: order.id, tags: [cl.tags.relationship(tag.id)] },
      { include: ['tags'] },
    )
    expect(tagged.tags?.map((each) => each.name)).toEqual([name])
    expect(Array.from(await cl.orders.list({ filters: { tags_name_eq: name } }), ({ id }) => id)).toEqual([
      order.id,
    ])
    await cl.orders.update({ id: order.id, _remove_tags: name })
    expect(await cl.orders.tags(order.id)).toHaveLength(0)
    await cl.orders.update({ id: order.id, _add_tags: `${name},unknown` })
    expect(await cl.orders.tags(order.id)).toHaveLength(1)
    expect(await cl.tags.update({ id: tag.id, reference: 'r' })).toMatchObject({ name, reference: 'r' })
    await cl.tags.delete(tag.id)
    expect(await cl.orders.tags(order.id)).toHaveLength(0)
    await cl.orders.delete(order.id)
  })
})

describe('attachments', () => {
  test('are made on a SKU, changed, listed from it and deleted', async () => {
    const cl = await client()
    const [sku] = await cl.skus.list({ pageSize: 1 })
    const id = sku?.id ?? ''
    const attachment = await cl.attachments.create(
      {
        name: unique('manual'),
        url: 'https://files.example.com/manual.pdf',
        attachable: cl.skus.relationship(id),
      },
      { include: ['attachable'] },
    )
    expect(attachment.attachable).toMatchObject({ type: 'skus', id })
    expect(await cl.attachments.update({ id: attachment.id, description: 'How to' })).toMatchObject({
      description: 'How to',
    })
    const listed = await cl.skus.attachments(id, { filters: { name_eq: attachment.name } })
    expect(Array.from(listed, (each) => each.id)).toEqual([attachment.id])
    await cl.attachments.delete(attachment.id)
    expect((await errorOf(cl.attachments.retrieve(attachment.id))).status).toBe(404)
  })
})

describe('history', () => {
  test('versions, events and event stores of an order', async () => {
    const cl = await client()
    const order = await begin(cl)
    await cl.orders.update({ id: order.id, reference: 'seen' })
    // This release of the client has no versions any more.
    const token = await accessToken('integration', { organization: ORGANIZATION })
    const versions = (await connect().collection(`orders/${order.id}/versions`, { token })).data
    expect(versions.map(({ attributes }) => attributes['event'])).toEqual(['create', 'update'])
    expect(versions[1]?.attributes['changes']).toEqual({ reference: [null, 'seen'] })
    const events = await cl.orders.events(order.id)
    expect(Array.from(events, ({ name }) => name)).toEqual(['orders.create', 'orders.draft'])
    const stores = await cl.orders.event_stores(order.id)
    expect(stores[0]).toMatchObject({ event: 'update', payload: { reference: { from: null, to: 'seen' } } })
    await cl.orders.delete(order.id)
  })

  test('what an order does not have yet is there, and empty', async () => {
    const cl = await client()
    const order = await begin(cl)
    const all = await cl.orders.retrieve(order.id, {
      include: ['shipments', 'transactions', 'order_subscription'],
    })
    expect(all).toMatchObject({ shipments: [], transactions: [], order_subscription: null })
    expect(await cl.orders.shipments(order.id)).toHaveLength(0)
    await cl.orders.delete(order.id)
  })
})
