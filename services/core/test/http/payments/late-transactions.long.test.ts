/** Transactions whose gateway answers later: `_forward` and `succeeded`. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf } from '../support/order-calls.ts'
import { paymentCalls, WHOLE } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('late_transactions')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, authorizeCart, move, patch, ok, statusesOf, idsOf } = paymentCalls(() => core)

const capture = (id: string) => patch('authorizations', id, { _capture: true })

/** An order of WHOLE, moved on, with its only authorization. */
const sold = async (...triggers: readonly string[]) => {
  const order = await payable()
  await move(order, ...triggers)
  const [authorization = ''] = await idsOf(order, 'authorizations')
  return { order, authorization }
}

describe('a transaction that was not answered yet', () => {
  it.each([{ _forward: true }, { succeeded: true }])('counts from %j on', async (attributes) => {
    const order = await payable()
    const authorization = await authorizeCart(order, WHOLE, false)
    expect(at(await capture(authorization))).toEqual([
      ['422', '/data/attributes/_capture', 'nothing_to_move'],
    ])
    for (const _time of [1, 2])
      expect(attributesOf(ok(await patch('authorizations', authorization, attributes)))).toMatchObject({
        succeeded: true,
        capture_balance_cents: WHOLE,
      })
    expect(await statusesOf(order)).toEqual(['pending', 'authorized', 'unfulfilled'])
  })

  it('captures what its authorization still has, or nothing', async () => {
    const { order, authorization } = await sold('_place', '_approve')
    const pending = async (cents: number) => {
      const { rows } = await core.pool.query<{ id: string }>(
        `INSERT INTO transactions (environment_id, type, order_id, number, currency_code, amount_cents,
            payment_gateway_id, reference_authorization_id)
          VALUES (1, 'captures', $1, gen_random_uuid(), 'EUR', $2, 1, $3) RETURNING id`,
        [decodeId('orders', order), cents, decodeId('transactions', authorization)],
      )
      return encodeId('transactions', Number(rows[0]?.id))
    }
    const [first, second] = [await pending(6_000), await pending(6_000)]
    ok(await patch('captures', first, { _forward: true }))
    expect(await statusesOf(order)).toEqual(['approved', 'partially_paid', 'unfulfilled'])
    expect(errorsOf(await patch('captures', second, { _forward: true }))).toMatchObject([
      { meta: { error: 'less_than_or_equal_to', value: 6_000, count: 4_000 } },
    ])
    const { data } = singleOf(await core.get(`/api/authorizations/${authorization}`, core.tokens.admin))
    expect(data.attributes).toMatchObject({ capture_amount_cents: 6_000, capture_balance_cents: 4_000 })
  })

  it('a success is never taken back', async () => {
    const { authorization } = await sold('_place')
    expect(at(await patch('authorizations', authorization, { succeeded: false }))).toEqual([
      ['422', '/data/attributes/succeeded', 'immutable'],
    ])
  })
})
