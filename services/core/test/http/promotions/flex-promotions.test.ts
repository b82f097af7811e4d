/** Flex promotions: rules that a merchant writes, on orders, and what is refused. */
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { attributesOf, checkoutCalls, linkTo, orderCalls, WITH_SHIPPING } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { ALWAYS, promotionCalls } from '../support/promotion-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('flex_promotions')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { add, changeOrder, orderOf } = orderCalls(() => core)
const { cart } = checkoutCalls(() => core)
const { make, promote, send } = promotionCalls(() => core)

const SHIRTS = { field: 'order.line_items.sku.code', matcher: 'start_with', value: 'SKU-A', group: 'shirts' }
const TENTH = { type: 'percentage', selector: 'order.line_items.sku', groups: ['shirts'], value: '0.1' }

const rulesOf = (conditions: readonly Body[], ...actions: readonly Body[]): Body => ({
  rules: { rules: [{ name: 'A rule', conditions, actions }] },
})

const promotionLines = async (order: string) =>
  listOf(await core.get(`/api/orders/${order}/line_items?page[size]=25`, core.tokens.admin)).data.filter(
    ({ attributes }) => attributes['item_type'] === 'flex_promotions',
  )

/** A condition with that many levels below it. */
const nestedTimes = (levels: number): Readonly<Record<string, unknown>> =>
  levels === 0 ? SHIRTS : { ...SHIRTS, nested: { conditions: [nestedTimes(levels - 1)] } }

describe('a flex promotion', () => {
  it('discounts the lines that its conditions name, also of a line that is just added', async () => {
    await promote('flex', rulesOf([SHIRTS], TENTH))
    const order = await cart('SKU-A', 2)
    expect(await orderOf(order)).toMatchObject({ discount_amount_cents: -1000 })
    await add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity: 1 })
    expect(await orderOf(order)).toMatchObject({ discount_amount_cents: -1000 })
    const [line] = await promotionLines(order)
    expect(line?.attributes).toMatchObject({ name: 'flex', total_amount_cents: -1000 })
  })

  it('keeps on its line what was met', async () => {
    await promote('flex', rulesOf([SHIRTS], TENTH))
    const order = await cart('SKU-A', 2)
    const [line] = await promotionLines(order)
    const { id } = line ?? { id: '' }
    const shown = attributesOf(await core.get(`/api/line_items/${id}`, core.tokens.admin))
    expect(shown['rule_outcomes']).toMatchObject({
      match: true,
      rules: [
        {
          name: 'A rule',
          match: true,
          conditions: [{ field: SHIRTS.field, match: true, matches: [{ type: 'skus', value: 'SKU-A' }] }],
          actions: [{ type: 'percentage', resources: [{ type: 'line_items', quantity: 2 }] }],
        },
      ],
    })
  })

  it('is for an order of a customer, a market or a tag, as its conditions say', async () => {
    const customer = { field: 'order.customer_email', matcher: 'matches', value: '.*@example.com' }
    const market = { field: 'order.market.name', matcher: 'eq', value: 'nowhere' }
    await promote('flex', rulesOf([customer], { type: 'fixed_amount', selector: 'order', value: 700 }))
    await promote('flex', rulesOf([market], { type: 'fixed_amount', selector: 'order', value: 999 }))
    const order = await cart('SKU-A', 1)
    expect(attributesOf(await changeOrder(order, { customer_email: 'ann@example.com' }))).toMatchObject({
      discount_amount_cents: -700,
    })
    expect(attributesOf(await changeOrder(order, { customer_email: 'ann@example.org' }))).toMatchObject({
      discount_amount_cents: 0,
    })
  })

  it('waits for a coupon when it has a rule of coupons', async () => {
    const promotion = await promote('flex', rulesOf([SHIRTS], TENTH))
    const rule = await make(
      'coupon_codes_promotion_rules',
      {},
      { promotion: linkTo('flex_promotions', promotion) },
    )
    await make(
      'coupons',
      { code: 'SUMMER26' },
      { promotion_rule: linkTo('coupon_codes_promotion_rules', rule) },
    )
    const order = await cart('SKU-A', 1)
    expect(await orderOf(order)).toMatchObject({ discount_amount_cents: 0 })
    expect(attributesOf(await changeOrder(order, { coupon_code: 'SUMMER26' }))).toMatchObject({
      discount_amount_cents: -500,
    })
  })

  it('is shown with its rules one by one, and without them in lists', async () => {
    const id = await promote('flex', rulesOf([SHIRTS], TENTH))
    const { attributes } = singleOf(await core.get(`/api/flex_promotions/${id}`, core.tokens.admin)).data
    expect(attributes).toMatchObject({
      ...rulesOf([SHIRTS], TENTH),
      rule_outcomes: null,
      resource_payload: null,
    })
    const [listed] = listOf(await core.get('/api/flex_promotions', core.tokens.admin)).data
    expect(listed?.attributes).not.toHaveProperty('rules')
  })

  it.each<[string, unknown, string]>([
    ['no document', { rules: [] }, 'must have'],
    ['no rules at all', {}, 'rules'],
    ['an unknown matcher', rulesOf([{ ...SHIRTS, matcher: 'like' }], TENTH)['rules'], 'matcher'],
    [
      'an unknown path',
      rulesOf([{ ...SHIRTS, field: 'order.shoes.size' }], TENTH)['rules'],
      'orders have no "shoes"',
    ],
    [
      'a secret',
      rulesOf([{ ...SHIRTS, field: 'order.customer.password' }], TENTH)['rules'],
      'have no "password"',
    ],
    ['a group of nobody', rulesOf([{ ...SHIRTS, group: 'hats' }], TENTH)['rules'], 'group "shirts"'],
    ['a share above one', rulesOf([SHIRTS], { ...TENTH, value: 10 })['rules'], 'value'],
    [
      'a pattern of another syntax',
      rulesOf([{ ...SHIRTS, matcher: 'matches', value: '(?=x)' }], TENTH)['rules'],
      'RE2 syntax',
    ],
    [
      'a range of one',
      rulesOf([{ ...SHIRTS, matcher: 'gt_lt', value: [1] }], TENTH)['rules'],
      'list of two values',
    ],
    [
      'an unknown expression',
      rulesOf([{ ...SHIRTS, matcher: 'eq', value: '{{yesterday}}' }], TENTH)['rules'],
      'no known expression',
    ],
    [
      'sixteen rules',
      { rules: Array.from({ length: 16 }, () => ({ name: 'x', conditions: [SHIRTS], actions: [TENTH] })) },
      'at most 15',
    ],
    [
      'too many conditions in all rules',
      {
        rules: Array.from({ length: 2 }, () => ({
          name: 'x',
          conditions: Array.from({ length: 76 }, () => SHIRTS),
          actions: [TENTH],
        })),
      },
      'rules have 152 conditions; at most 150 are allowed',
    ],
    ['six levels of conditions', rulesOf([nestedTimes(5)], TENTH)['rules'], 'nests 6 deep; at most 5'],
    [
      'limit and bundle',
      rulesOf([SHIRTS], {
        ...TENTH,
        limit: { value: 1, sort: { attribute: 'quantity', direction: 'asc' } },
        bundle: { type: 'every', value: 1, sort: { attribute: 'quantity', direction: 'asc' } },
      })['rules'],
      'not both',
    ],
  ])('is refused with %s', async (_name, rules, message) => {
    const refused = await send('flex_promotions', { name: 'flex', ...ALWAYS, rules })
    expect(refused.status).toBe(422)
    const errors = errorsOf(refused)
    expect(errors.every(({ source }) => source?.pointer === '/data/attributes/rules')).toBe(true)
    expect(errors.map(({ detail }) => detail).join('\n')).toContain(message)
  })
})

describe('POST /api/rules/check', () => {
  const card = {
    field: 'order.payment_method.payment_source_type',
    matcher: 'eq',
    value: 'credit_cards',
    group: 'g',
  }
  const action = { type: 'percentage', selector: 'order', value: 0.03, groups: ['g'] }
  const check = (body: unknown, token = core.tokens.admin) =>
    core.send('POST', '/api/rules/check', token, body)
  const order = (type: string) => ({
    order: {
      id: type,
      payment_method: { id: 'x', payment_source_type: type },
      line_items: [{ id: 'a', quantity: 2 }],
    },
  })

  it('says what rules would do to orders that are sent', async () => {
    const rules = [{ name: '3 % for cards', conditions: [card], actions: [action] }]
    const answer = await check({ payload: [order('credit_cards'), order('wire_transfers')], rules })
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        data: [
          {
            match: true,
            rules: [{ match: true, actions: [{ selector: 'order', resources: [{ id: 'a', quantity: 2 }] }] }],
          },
          {
            match: false,
            rules: [{ match: false, conditions: [{ match: false, matches: [] }], actions: [] }],
          },
        ],
      },
    ])
  })

  it('names what is wrong with rules and payloads', async () => {
    const wrong = await check({
      payload: [{}],
      rules: [{ name: 'x', conditions: [card], actions: [{ ...action, type: 'fixed' }] }],
    })
    expect([wrong.status, errorsOf(wrong)[0]?.source?.pointer]).toEqual([422, '/rules/0/actions/0/type'])
    const none = await check({ rules: [] })
    expect([none.status, errorsOf(none)[0]?.source?.pointer]).toEqual([422, '/payload'])
  })

  it('stops at rules that look at too much of an order', async () => {
    const quantity = { field: 'order.line_items.quantity', matcher: 'gteq', value: 1 }
    const tagged = {
      field: 'order.customer.tags.name',
      matcher: 'present',
      nested: { conditions: [quantity] },
    }
    const question = (lines: number, tags: number) => ({
      payload: [
        {
          order: {
            customer: { tags: Array.from({ length: tags }, (_, at) => ({ name: `tag ${at}` })) },
            line_items: Array.from({ length: lines }, (_, at) => ({ id: String(at), quantity: 1 })),
          },
        },
      ],
      rules: [{ name: 'x', conditions: [tagged], actions: [{ ...action, groups: [] }] }],
    })
    expect((await check(question(200, 2_000))).status).toBe(200)
    expect(errorsOf(await check(question(200, 3_000)))).toMatchObject([
      {
        source: { pointer: '/rules' },
        detail: 'rules must not look at more than 500,000 values at once: write fewer or narrower conditions',
      },
    ])
    const long = await check(question(201, 1))
    expect([long.status, errorsOf(long)[0]?.source?.pointer]).toEqual([422, '/payload/0/order/line_items'])
  })

  it('is for those who may read flex promotions', async () => {
    expect((await core.client.request('POST', '/api/rules/check', {})).status).toBe(401)
    expect((await core.client.request('GET', '/api/rules/check', { token: core.tokens.admin })).status).toBe(
      405,
    )
  })
})
