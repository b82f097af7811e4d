/** What a SKU costs while a scheduler is active: its price in the list in force, or else in the base list. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { jumpingClock } from '../subscriptions/subscription-calls.ts'
import { bundleCalls, OUTFIT } from '../support/bundle-calls.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import { SALE, schedulerCalls } from './scheduler-calls.ts'

const YESTERDAY = '2026-11-19T00:00:00Z'
const LATER = '2026-11-22T00:00:00Z'

const { clock, jumpTo } = jumpingClock()
let core: TestCore
let guest: string

beforeAll(async () => {
  core = await openCore('prices_in_force', { clock })
  guest = await core.tokens.mint(salesChannel([1]))
})
beforeEach(async () => {
  jumpTo('2026-11-20T12:00:00Z')
  await reseedShop(core.pool)
  await addLists()
})
afterAll(() => core.close())

const { scheduled, remove, sweepAt, addLists } = schedulerCalls(() => core, jumpTo)
const { draft, add, change, changeOrder } = orderCalls(() => core)

/** Code → amounts that the token sees, of all pages. */
const pricesSeen = async (token: string, query = '') => {
  const { data } = listOf(await core.get(`/api/prices?page[size]=25&sort=amount_cents${query}`, token))
  return data.map(({ attributes }) => [attributes['sku_code'], attributes['amount_cents']])
}

const BASE_PRICES = [
  ['SKU-D', 1500],
  ['SKU-B', 4000],
  ['SKU-A', 5000],
  ['SKU-C', 9000],
]
const SALE_PRICES = [['SKU-D', 1500], ['SKU-A', 3000], ...BASE_PRICES.slice(1, 2), ['SKU-C', 9000]]

describe('a token of the market', () => {
  it('sees one price of each SKU: of the list in force, or else of the base list', async () => {
    expect(await pricesSeen(guest)).toEqual(BASE_PRICES)
    const id = await scheduled(YESTERDAY, LATER)
    expect(await pricesSeen(guest)).toEqual(SALE_PRICES)
    await remove(id)
    expect(await pricesSeen(guest)).toEqual(BASE_PRICES)
  })

  it('sees them switch with the sweep', async () => {
    await scheduled('2026-11-21T00:00:00Z', LATER)
    const skus = async () => (await core.get('/api/skus', guest)).body
    const before = await skus()
    await sweepAt('2026-11-21T00:00:00Z')
    expect([await pricesSeen(guest), await skus()]).toEqual([SALE_PRICES, before])
    await sweepAt(LATER)
    expect(await pricesSeen(guest)).toEqual(BASE_PRICES)
  })

  it('sees one price of a SKU that includes its prices', async () => {
    await scheduled(YESTERDAY, LATER)
    const path = `/api/skus/${encodeId('skus', 1)}?include=prices`
    const { included = [] } = singleOf(await core.get(path, guest))
    expect(included.map(({ attributes }) => attributes?.['amount_cents'])).toEqual([3000])
  })

  it('sees the prices of each list by its address, without those that are replaced', async () => {
    await scheduled(YESTERDAY, LATER)
    const ofList = (list: number) =>
      pricesSeen(guest, `&filter[q][price_list_id_eq]=${encodeId('price_lists', list)}`)
    expect(await ofList(SALE)).toEqual([['SKU-A', 3000]])
    expect(await ofList(1)).toEqual(BASE_PRICES.filter(([code]) => code !== 'SKU-A'))
  })

  it('finds sellable what only the list in force has a price of', async () => {
    const codes = async () =>
      listOf(await core.get('/api/skus?page[size]=25&sort=code', guest)).data.map(
        ({ attributes }) => attributes['code'],
      )
    const before = await codes()
    expect(before).not.toContain('SKU-F')
    await core.pool
      .query(`INSERT INTO prices (environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents)
      VALUES (1, 6, 'SKU-F', ${SALE}, 'EUR', 100)`)
    const id = await scheduled(YESTERDAY, LATER)
    expect(await codes()).toEqual([...before, 'SKU-F'])
    await remove(id)
    expect(await codes()).toEqual(before)
  })

  it('of two markets sees what each of them sells for', async () => {
    await scheduled(YESTERDAY, LATER, SALE, {}, 4)
    const both = await core.tokens.mint(salesChannel([1, 4]))
    expect(await pricesSeen(both)).toEqual([
      ['SKU-D', 1500],
      ['SKU-A', 3000],
      ['SKU-B', 4000],
      ['SKU-A', 5000],
      ['SKU-C', 9000],
    ])
  })
})

it('an integration without a market sees all prices', async () => {
  await scheduled(YESTERDAY, LATER)
  expect(await pricesSeen(core.tokens.admin)).toHaveLength(7)
})

describe('an order', () => {
  const lineOf = async (order: string, code: string) =>
    singleOf(await add(core.tokens.admin, order, { sku_code: code, quantity: 1 })).data
  const unitOf = ({ attributes }: { attributes: Readonly<Record<string, unknown>> }) =>
    attributes['unit_amount_cents']

  it('takes the price in force, or else that of the base list', async () => {
    await scheduled(YESTERDAY, LATER)
    const order = await draft()
    expect([unitOf(await lineOf(order, 'SKU-A')), unitOf(await lineOf(order, 'SKU-B'))]).toEqual([3000, 4000])
  })

  it('keeps its prices when the list in force changes, until they are refreshed', async () => {
    const order = await draft()
    const [first, second] = [await lineOf(order, 'SKU-A'), await lineOf(order, 'SKU-B')]
    const units = async () =>
      Promise.all(
        [first, second].map(async ({ id }) =>
          unitOf(singleOf(await core.get(`/api/line_items/${id}`, core.tokens.admin)).data),
        ),
      )
    await scheduled(YESTERDAY, LATER)
    expect(await units()).toEqual([5000, 4000])
    expect((await changeOrder(order, { _refresh_prices: true })).status).toBe(200)
    expect(await units()).toEqual([3000, 4000])
    await sweepAt(LATER)
    expect((await changeOrder(order, { _refresh_prices: true })).status).toBe(200)
    expect(await units()).toEqual([5000, 4000])
  })

  it('has the volume tiers of the price that it takes', async () => {
    await scheduled(YESTERDAY, LATER)
    const tier = { name: 'Many', up_to: 5, price_amount_cents: 2500 }
    const data = {
      type: 'price_volume_tiers',
      attributes: tier,
      relationships: { price: linkTo('prices', encodeId('prices', 500)) },
    }
    expect((await core.send('POST', '/api/price_volume_tiers', core.tokens.admin, { data })).status).toBe(201)
    const line = await lineOf(await draft(), 'SKU-A')
    expect(unitOf(line)).toBe(2500)
    expect(attributesOf(await change(core.tokens.admin, line.id, { quantity: 6 }))['unit_amount_cents']).toBe(
      3000,
    )
  })

  it('cannot have what neither list has a price of', async () => {
    await scheduled(YESTERDAY, LATER)
    const response = await add(core.tokens.admin, await draft(), { sku_code: 'SKU-F', quantity: 1 })
    expect(at(response)).toEqual([['422', '/data/attributes/sku_code', 'no_price']])
  })
})

it('an item of a subscription takes the price in force, or else that of the base list', async () => {
  await scheduled(YESTERDAY, LATER)
  const post = async (type: string, attributes: object, relationships: object) =>
    singleOf(
      await core.send('POST', `/api/${type}`, core.tokens.admin, {
        data: { type, attributes, relationships },
      }),
    ).data
  const model = await post('subscription_models', { name: 'Monthly', frequencies: ['monthly'] }, {})
  const source = { source_order: one('orders', 3) }
  const subscription = await post('order_subscriptions', { frequency: 'monthly' }, source)
  await core.pool.query('UPDATE order_subscriptions SET subscription_model_id = $1', [
    decodeId('subscription_models', model.id),
  ])
  const links = { order_subscription: linkTo('order_subscriptions', subscription.id) }
  const units = []
  for (const code of ['SKU-A', 'SKU-B'])
    units.push(
      (await post('order_subscription_items', { sku_code: code, quantity: 1 }, links)).attributes[
        'unit_amount_cents'
      ],
    )
  expect(units).toEqual([3000, 4000])
})

it('a bundle is computed from the prices in force, and from the base list where they lack', async () => {
  await scheduled(YESTERDAY, LATER)
  const { listOfSkus, makeOf } = bundleCalls(() => core)
  const made = await makeOf(await listOfSkus(OUTFIT), {
    price_amount_cents: undefined,
    _compute_price_amount: true,
  })
  expect(attributesOf(made)['price_amount_cents']).toBe(2 * 3000 + 4000 + 1500)
})
