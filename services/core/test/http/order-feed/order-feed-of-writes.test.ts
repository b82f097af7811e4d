/** What the API writes to orders and their lines is in the order feed, as the document says it (ADR 9). */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { feedReader, numbersOf, onlyDocument } from '../../db/support/feed-reader.ts'
import type { FeedReader } from '../../db/support/feed-reader.ts'
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { linkTo, orderCalls } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'
import { promotionCalls } from '../support/promotion-calls.ts'
import { returnCalls, WITH_RETURNS } from '../support/return-calls.ts'

let core: TestCore
let database: Database
let reader: FeedReader

beforeAll(async () => {
  core = await openCore('feed_of_writes')
  database = openDatabase({ url: String(core.pool.options.connectionString) })
  reader = feedReader(database)
})
beforeEach(() => reseedShop(core.pool))
afterAll(async () => {
  await database.close()
  await core.close()
})

const { add, change, changeOrder, draft, remove } = orderCalls(() => core)
const { promote } = promotionCalls(() => core)

it('an order that is filled arrives once per write, with its lines and its sums', async () => {
  const { cursor } = await reader.all()
  const order = await draft({ customer_email: 'ada@example.com' })
  const begun = await reader.all(cursor)
  expect(onlyDocument(begun.entries)).toMatchObject({ status: 'draft', line_items: [], version: 1 })

  const line = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 2 })).data.id
  await add(core.tokens.admin, order, { name: 'Wrapping', unit_amount_cents: 250, quantity: 1 })
  const filled = await reader.all(begun.cursor)
  const document = onlyDocument(filled.entries)
  expect(document).toMatchObject({ status: 'pending', version: 3, amounts: { total: 10_250 } })
  expect(document.line_items).toMatchObject([
    { code: 'SKU-A', quantity: 2, item_type: 'skus', total_amount_cents: 10_000 },
    { code: null, name: 'Wrapping', item_id: null, total_amount_cents: 250 },
  ])

  await change(core.tokens.admin, line, { quantity: 1 })
  await changeOrder(order, { metadata: { gift: true } })
  const changed = await reader.all(filled.cursor)
  expect(onlyDocument(changed.entries)).toMatchObject({ version: 5, amounts: { total: 5250 } })

  await remove(core.tokens.admin, line)
  const removed = await reader.all(changed.cursor)
  expect(onlyDocument(removed.entries).line_items).toHaveLength(1)

  await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)
  const gone = await reader.all(removed.cursor)
  expect(gone.entries).toMatchObject([{ kind: 'delete' }])
  expect(numbersOf(gone.entries)).toEqual([decodeId('orders', order)])
})

it('an option of a line arrives with its line', async () => {
  const create = (type: string, attributes: object, relationships: object = {}) =>
    core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes, relationships } })
  const order = await draft()
  const line = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data.id
  const option = singleOf(
    await create('sku_options', { name: 'Engraving', currency_code: 'EUR', price_amount_cents: 700 }),
  ).data.id
  const { cursor } = await reader.all()
  await create(
    'line_item_options',
    { quantity: 2, options: { text: 'Ada' } },
    { line_item: linkTo('line_items', line), sku_option: linkTo('sku_options', option) },
  )
  expect(onlyDocument((await reader.all(cursor)).entries)).toMatchObject({
    line_item_options_count: 1,
    amounts: { total: 6400 },
    line_items: [
      {
        options_amount_cents: 1400,
        total_amount_cents: 6400,
        options: [{ name: 'Engraving', quantity: 2, unit_amount_cents: 700, total_amount_cents: 1400 }],
      },
    ],
  })
})

it('a promotion arrives as a line, with the share of each other line, and again when the order is refreshed', async () => {
  const promotion = await promote('percentage_discount', { name: 'Ten', percentage: 10 })
  const { cursor } = await reader.all()
  const order = await draft({ customer_email: 'ada@example.com' })
  await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 2 })
  const filled = await reader.all(cursor)
  const document = onlyDocument(filled.entries)
  expect(document).toMatchObject({ amounts: { subtotal: 10_000, discount: -1000, total: 9000 } })
  expect(
    document.line_items.map((line) => [line.item_type, line.discount_cents, line.total_amount_cents]),
  ).toEqual([
    ['skus', -1000, 10_000],
    ['percentage_discount_promotions', 0, -1000],
  ])
  expect(document.line_items[1]).toMatchObject({ name: 'Ten', item_id: promotion })
  const type = 'percentage_discount_promotions'
  const data = { type, id: promotion, attributes: { _disable: true } }
  await core.send('PATCH', `/api/${type}/${promotion}`, core.tokens.admin, { data })
  await changeOrder(order, { _refresh: true })
  const refreshed = onlyDocument((await reader.all(filled.cursor)).entries)
  expect(refreshed).toMatchObject({ amounts: { discount: 0, total: 10_000 } })
  expect(refreshed.line_items).toHaveLength(1)
})

it('a refused line leaves no trace in it', async () => {
  const order = await draft()
  const { cursor } = await reader.all()
  expect((await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 99 })).status).toBe(422)
  expect((await reader.all(cursor)).entries).toEqual([])
})

it('what was captured and refunded of an order is in it, by the write that moved it', async () => {
  const { freeShipping, payable, move, patch, ok, idsOf } = paymentCalls(() => core)
  await freeShipping()
  const order = await payable()
  await move(order, '_place', '_approve')
  const [authorization = ''] = await idsOf(order, 'authorizations')
  const { cursor } = await reader.all()
  ok(await patch('authorizations', authorization, { _capture: true, _capture_amount_cents: 4_000 }))
  const captured = await reader.all(cursor)
  expect(onlyDocument(captured.entries)).toMatchObject({
    status: 'approved',
    payment_status: 'partially_paid',
    refunds: [],
  })

  const [capture = ''] = await idsOf(order, 'captures')
  ok(await patch('authorizations', authorization, { _capture: true }))
  ok(await patch('captures', capture, { _refund: true, _refund_amount_cents: 1_500 }))
  const refunded = await reader.all(captured.cursor)
  expect(onlyDocument(refunded.entries)).toMatchObject({
    payment_status: 'partially_refunded',
    fulfillment_status: 'in_progress',
    amounts: { total: WHOLE },
    refunds: [{ amount_cents: 1_500 }],
  })
})

it('a return arrives with its order, step by step, with what comes back', async () => {
  const { fulfilled, draftOf, move } = returnCalls(() => core)
  await paymentCalls(() => core).freeShipping()
  await core.pool.query(WITH_RETURNS)
  const order = await fulfilled()
  const { cursor } = await reader.all()
  const id = await draftOf(order, 1)
  const drafted = await reader.all(cursor)
  expect(onlyDocument(drafted.entries).returns).toMatchObject([
    {
      id,
      status: 'draft',
      skus_count: 1,
      stock_location: { name: 'Milano' },
      line_items: [{ quantity: 1, restocked_at: null }],
    },
  ])
  await move(id, '_request', '_approve', '_ship', '_receive', '_restock', '_refund')
  const document = onlyDocument((await reader.all(drafted.cursor)).entries)
  expect(document.returns).toMatchObject([
    {
      status: 'refunded',
      refunded_at: expect.any(String) as unknown,
      line_items: [{ restocked_at: expect.any(String) as unknown }],
    },
  ])
  expect(document.refunds).toMatchObject([{ amount_cents: 5000 }])
})
