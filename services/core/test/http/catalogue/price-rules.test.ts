/** Rules of prices and price lists: what a price is for whom, what a line costs, and which rules are refused. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { subscriptionCalls } from '../subscriptions/subscription-calls.ts'
import { attributesOf, checkoutCalls, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('price_rules')
})
const runRules = (isOn: boolean) =>
  core.pool.query('UPDATE environments SET settings = $1 WHERE id = 1', [{ api_rules_engine: isOn }])

beforeEach(async () => {
  await reseedShop(core.pool)
  await runRules(true)
})
afterAll(() => core.close())

const { add, change, changeOrder, draft, orderOf } = orderCalls(() => core)
const { cart } = checkoutCalls(() => core)
const { change: changeRecord, offer, related, subscribe } = subscriptionCalls(() => core)

const IS_A = { field: 'price.sku.code', matcher: 'eq', value: 'SKU-A' }
const TENTH = { type: 'percentage', selector: 'price', value: '0.1' }
const rules = (conditions: readonly Body[], ...actions: readonly Body[]): Body => ({
  rules: [{ name: 'A rule', conditions, actions }],
})

const patch = (type: string, number: number, attributes: Body) => {
  const id = encodeId(type, number)
  return core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, { data: { type, id, attributes } })
}
const ofPrice = async (document: Body | null, number = 1) =>
  singleOf(await patch('prices', number, { rules: document })).data.attributes
const ofList = async (document: Body | null) =>
  singleOf(await patch('price_lists', 1, { rules: document })).data.attributes

const price = async (token = core.tokens.admin, number = 1) =>
  attributesOf(await core.get(`/api/prices/${encodeId('prices', number)}`, token))
const amounts = async (token?: string, number?: number) => {
  const { amount_cents, compare_at_amount_cents, original_amount_cents } = await price(token, number)
  return [amount_cents, compare_at_amount_cents, original_amount_cents]
}

describe('the rules of a price', () => {
  it('change what is read, with what it was and why', async () => {
    await ofPrice(rules([IS_A], TENTH))
    expect(await price()).toMatchObject({
      amount_cents: 4500,
      amount_float: 45,
      formatted_amount: '€45,00',
      compare_at_amount_cents: 6000,
      rule_outcomes: {
        match: true,
        rules: [
          {
            name: 'A rule',
            match: true,
            conditions: [
              { field: 'price.sku.code', match: true, matches: [{ type: 'skus', value: 'SKU-A' }] },
            ],
            actions: [{ type: 'percentage', resources: [{ type: 'prices', id: encodeId('prices', 1) }] }],
          },
        ],
      },
      resource_payload: { price: { amount_cents: 5000, sku: { code: 'SKU-A' } } },
    })
    const { rows } = await core.pool.query('SELECT amount_cents FROM prices WHERE id = 1')
    expect(rows).toEqual([{ amount_cents: 5000 }])
  })

  it('are asked in lists, includes and related addresses too', async () => {
    await ofPrice(rules([IS_A], TENTH))
    const list = listOf(await core.get('/api/prices?filter[q][sku_code_eq]=SKU-A', core.tokens.admin)).data
    const sku = encodeId('skus', 1)
    const included = singleOf(await core.get(`/api/skus/${sku}?include=prices`, core.tokens.admin)).included
    const skus = listOf(await core.get('/api/skus?include=prices', core.tokens.admin)).included
    const related = listOf(await core.get(`/api/skus/${sku}/prices`, core.tokens.admin)).data
    const ofA = [list, included, skus, related].map((found = []) =>
      found.find(({ id, type }) => type === 'prices' && id === encodeId('prices', 1)),
    )
    expect(ofA.map((found) => found?.attributes['amount_cents'])).toEqual([4500, 4500, 4500, 4500])
    expect(ofA.map((found) => found?.attributes['rule_outcomes'])).toEqual(ofA.map(() => undefined))
  })

  it('are kept and not run unless the organization runs them', async () => {
    await ofPrice(rules([IS_A], TENTH))
    await runRules(false)
    expect(await amounts()).toEqual([5000, 6000, null])
    expect(await price()).toMatchObject({ rules: rules([IS_A], TENTH), rule_outcomes: null })
    expect(
      attributesOf(await add(core.tokens.admin, await draft(), { sku_code: 'SKU-A', quantity: 1 })),
    ).toMatchObject({ unit_amount_cents: 5000 })
  })

  it('come after those of its list', async () => {
    await ofList(
      rules([{ field: 'price.amount_cents', matcher: 'gteq', value: 5000 }], {
        type: 'fixed_amount',
        selector: 'price',
        value: 1000,
      }),
    )
    await ofPrice(rules([IS_A], TENTH))
    expect((await amounts()).slice(0, 2)).toEqual([3600, 6000])
    expect((await amounts(undefined, 2))[0]).toBe(4000)
    expect((await amounts(undefined, 3))[0]).toBe(8000)
  })

  it('show what they did in the answer of a write, which a repeated request gets again', async () => {
    const data = {
      type: 'prices',
      attributes: {
        amount_cents: 2000,
        rules: rules([{ field: 'price.sku.code', matcher: 'present' }], TENTH),
      },
      relationships: { price_list: one('price_lists', 1), sku: one('skus', 5) },
    }
    const send = () =>
      core.send('POST', '/api/prices', core.tokens.admin, { data }, { 'Idempotency-Key': 'once' })
    const [first, second] = [await send(), await send()]
    expect(first.status).toBe(201)
    expect(singleOf(first).data.attributes).toMatchObject({ amount_cents: 1800, original_amount_cents: 2000 })
    expect(second.body).toEqual(first.body)
  })

  it('are none when they are empty', async () => {
    expect(await ofPrice({})).toMatchObject({ rules: {}, amount_cents: 5000, rule_outcomes: null })
    expect((await ofPrice(null))['rules']).toBeNull()
  })
})

describe('whoever asks', () => {
  const toAda = { field: 'price.jwt_customer.email', matcher: 'end_with', value: '@example.com' }

  it('is a customer of rules on customers', async () => {
    await ofList(rules([toAda], TENTH))
    const [ada, guest] = await Promise.all([
      core.tokens.mint(customer(1, [1])),
      core.tokens.mint(salesChannel([1])),
    ])
    expect([(await amounts(ada))[0], (await amounts(guest))[0], (await amounts())[0]]).toEqual([
      4500, 5000, 5000,
    ])
  })

  it('is of the markets of the token', async () => {
    await ofList(
      rules([{ field: 'price.jwt_markets.name', matcher: 'is_in', value: ['Europe', 'Australia'] }], TENTH),
    )
    const europe = await core.tokens.mint(salesChannel([1]))
    expect([(await amounts(europe))[0], (await amounts())[0]]).toEqual([4500, 5000])
  })

  it('may change the compare-at price alone', async () => {
    await ofList(rules([toAda], { ...TENTH, apply_on: 'compare_at_amount_cents' }))
    const ada = await core.tokens.mint(customer(1, [1]))
    expect((await amounts(ada)).slice(0, 2)).toEqual([5000, 5400])
  })

  it('is on orders the customer and the market of the order, whoever adds the line', async () => {
    await ofList(rules([toAda], TENTH))
    const order = await cart('SKU-A', 2)
    expect(await orderOf(order)).toMatchObject({ subtotal_amount_cents: 9000 })
    const nobody = await draft()
    const line = singleOf(await add(core.tokens.admin, nobody, { sku_code: 'SKU-A', quantity: 2 })).data
    expect(line.attributes).toMatchObject({ unit_amount_cents: 5000 })
  })
})

describe('a line', () => {
  const DEAR = { field: 'price.amount_cents', matcher: 'gteq', value: 5000 }

  it('keeps its price when only rules change, until prices are read again', async () => {
    const order = await cart('SKU-A', 1)
    await ofList(rules([DEAR], TENTH))
    expect(await orderOf(order)).toMatchObject({ subtotal_amount_cents: 5000 })
    expect((await changeOrder(order, {}, { market: one('markets', 4) })).status).toBe(200)
    expect(await orderOf(order)).toMatchObject({ subtotal_amount_cents: 4500 })
  })

  it('has the amount that was sent, whatever the rules say', async () => {
    await ofList(rules([DEAR], TENTH))
    const sent = await add(core.tokens.admin, await draft(), {
      sku_code: 'SKU-A',
      quantity: 1,
      unit_amount_cents: 4999,
    })
    expect(attributesOf(sent)).toMatchObject({ unit_amount_cents: 4999 })
  })

  it('has the price of its tier as it stands', async () => {
    await ofList(rules([DEAR], TENTH))
    const made = await core.send('POST', '/api/price_volume_tiers', core.tokens.admin, {
      data: {
        type: 'price_volume_tiers',
        attributes: { name: 'Many', up_to: 1, price_amount_cents: 4800 },
        relationships: { price: one('prices', 1) },
      },
    })
    expect(made.status).toBe(201)
    const line = singleOf(
      await add(core.tokens.admin, await draft(), { sku_code: 'SKU-A', quantity: 1 }),
    ).data
    expect(line.attributes).toMatchObject({ unit_amount_cents: 4800 })
    // Beyond the tiers the price counts, and with it its rules.
    expect(attributesOf(await change(core.tokens.admin, line.id, { quantity: 2 }))).toMatchObject({
      unit_amount_cents: 4500,
    })
  })
})

it('an item of a subscription costs what its customer pays', async () => {
  await offer(['monthly'])
  const { subscriptions } = await subscribe([{ frequency: 'monthly' }])
  const [item] = await related('order_subscriptions', subscriptions[0] ?? '', 'order_subscription_items')
  expect(item?.attributes).toMatchObject({ unit_amount_cents: 5000 })
  await ofList(rules([{ field: 'price.jwt_customer.email', matcher: 'eq', value: 'ada@example.com' }], TENTH))
  const changed = await changeRecord('order_subscription_items', item?.id ?? '', { quantity: 2 })
  expect(attributesOf(changed)).toMatchObject({ unit_amount_cents: 4500, total_amount_cents: 9000 })
})

describe('rules are refused', () => {
  const detailsOf = async (document: unknown, type = 'prices') =>
    errorsOf(await patch(type, 1, { rules: document })).map(({ detail, source }) => [source?.pointer, detail])

  it.each<[string, unknown, string]>([
    [
      'of orders',
      rules([{ ...IS_A, field: 'order.customer_email' }], TENTH),
      'rules/0/conditions/0/field must match',
    ],
    [
      'of another action',
      rules([IS_A], { ...TENTH, type: 'buy_x_pay_y', value: { x: 2, y: 1 } }),
      'rules/0/actions/0/type',
    ],
    ['without rules', { rules: [] }, 'rules must have at least 1 item'],
    ['of no shape', { anything: 1 }, 'rules is required'],
    [
      'with an unknown path',
      rules([{ ...IS_A, field: 'price.sku.colour' }], TENTH),
      '"price.sku.colour" leads nowhere: skus have no "colour"',
    ],
    [
      'with a percentage of ten',
      rules([IS_A], { ...TENTH, value: 10 }),
      'rules/0/actions/0/value must be 1 or less',
    ],
    ['on another amount', rules([IS_A], { ...TENTH, apply_on: 'total_amount_cents' }), 'apply_on'],
    ['with a value of orders', rules([{ ...IS_A, value: '{{order.id}}' }], TENTH), 'must begin with "price"'],
  ])('%s', async (_name, document, detail) => {
    for (const type of ['prices', 'price_lists']) {
      const [[pointer, first = ''] = []] = await detailsOf(document, type)
      expect(pointer).toBe('/data/attributes/rules')
      expect(first).toContain(detail)
    }
  })

  it('beyond what the organization allows', async () => {
    await core.pool.query('UPDATE environments SET settings = $1 WHERE id = 1', [
      { price_lists_max_rules_size: 1 },
    ])
    const [rule] = rules([IS_A], TENTH)['rules'] as readonly unknown[]
    expect(await detailsOf({ rules: [rule, rule] })).toEqual([
      ['/data/attributes/rules', expect.stringContaining('rules has 2; at most 1 are allowed')],
    ])
  })
})
