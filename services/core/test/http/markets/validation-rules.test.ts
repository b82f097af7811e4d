/** Rules of markets that orders have to meet: billing_info in the billing address. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, checkoutCalls, one, WITH_SHIPPING } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('validation_rules')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
})
afterAll(() => core.close())

const { payable, send } = checkoutCalls(() => core)

const TYPE = 'billing_info_validation_rules'

const create = (relationships: Body = { market: one('markets', 1) }) =>
  core.send('POST', `/api/${TYPE}`, core.tokens.admin, {
    data: { type: TYPE, attributes: {}, relationships },
  })

const idOf = async (): Promise<string> => singleOf(await create()).data.id

const requirementOf = async (order: string): Promise<unknown> =>
  attributesOf(await core.get(`/api/orders/${order}`, core.tokens.admin))['requires_billing_info']

describe('a rule about billing information', () => {
  it('holds for orders that begin in its market from then on', async () => {
    const before = await payable()
    const rule = await idOf()
    const order = await payable()
    expect([await requirementOf(before), await requirementOf(order)]).toEqual([false, true])
    expect(at(await send(order, '_place'))).toEqual([
      ['422', '/data/relationships/billing_address', 'billing_info_blank'],
    ])
    expect((await send(before, '_place')).status).toBe(200)
    await core.pool.query(`UPDATE addresses SET billing_info = 'VAT 1'`)
    expect((await send(order, '_place')).status).toBe(200)
    expect((await core.send('DELETE', `/api/${TYPE}/${rule}`, core.tokens.admin)).status).toBe(204)
    expect(await requirementOf(await payable())).toBe(false)
  })

  it('moves to another market', async () => {
    const id = await idOf()
    const response = await core.send('PATCH', `/api/${TYPE}/${id}`, core.tokens.admin, {
      data: { type: TYPE, id, relationships: { market: one('markets', 2) } },
    })
    expect(response.status).toBe(200)
    expect(await requirementOf(await payable())).toBe(false)
    const { rows } = await core.pool.query<{ id: number }>(
      'SELECT id FROM markets WHERE requires_billing_info',
    )
    expect(rows.map((row) => Number(row.id))).toEqual([2])
  })

  it('is one of two until both are gone', async () => {
    const [first, second] = [await idOf(), await idOf()]
    await core.send('DELETE', `/api/${TYPE}/${first}`, core.tokens.admin)
    expect(await requirementOf(await payable())).toBe(true)
    await core.send('DELETE', `/api/${TYPE}/${second}`, core.tokens.admin)
    expect(await requirementOf(await payable())).toBe(false)
  })

  it('is among all rules and those of its market', async () => {
    const id = await idOf()
    const path = `/api/markets/${encodeId('markets', 1)}/order_validation_rules`
    for (const list of [path, '/api/order_validation_rules']) {
      const { data } = listOf(await core.get(list, core.tokens.admin))
      expect(data.map((rule) => [rule.type, rule.id])).toEqual([[TYPE, id]])
    }
  })

  it('is refused without a market, or with one of another shop', async () => {
    expect(at(await create({}))).toEqual([['422', '/data/relationships/market', 'blank']])
    expect(at(await create({ market: one('markets', 1001) }))).toEqual([
      ['422', '/data/relationships/market', 'noent'],
    ])
    expect(errorsOf(await create({ market: one('skus', 1) }))).toMatchObject([{ code: 'TYPE_MISMATCH' }])
  })

  it('is closed to sales channels and other shops', async () => {
    const id = await idOf()
    expect((await core.get(`/api/${TYPE}`, await core.tokens.mint(salesChannel([1])))).status).toBe(401)
    for (const token of [core.tokens.live, core.tokens.otherOrganization])
      expect((await core.get(`/api/${TYPE}/${id}`, token)).status).toBe(404)
  })
})
