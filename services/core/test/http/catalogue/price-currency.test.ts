/** An amount keeps the currency it was given in: of price lists, their prices, and what orders take from them. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('price_currency')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { draft, add, change, changeOrder, orderOf } = orderCalls(() => core)

const update = (type: string, number: number, attributes: Body, relationships: Body = {}) => {
  const id = encodeId(type, number)
  const data = { type, id, attributes, relationships }
  return core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, { data })
}

const createPrice = (attributes: Body, list = 1) =>
  core.send('POST', '/api/prices', core.tokens.admin, {
    data: { type: 'prices', attributes, relationships: { price_list: one('price_lists', list) } },
  })

describe('the currency of a price list', () => {
  it('stays while it has prices', async () => {
    const response = await update('price_lists', 1, { currency_code: 'USD', name: 'Renamed' })
    expect(at(response)).toEqual([['422', '/data/attributes/currency_code', 'has_prices']])
    expect(errorsOf(response)[0]?.title).toBe('cannot be changed while the list has prices in EUR')
    const { rows } = await core.pool.query('SELECT currency_code FROM prices WHERE price_list_id = 1')
    expect(new Set(rows.map(({ currency_code: code }: Body) => code))).toEqual(new Set(['EUR']))
  })

  it('may be sent as it is, and become another one when there are none', async () => {
    expect((await update('price_lists', 1, { currency_code: 'EUR', name: 'Renamed' })).status).toBe(200)
    await core.pool.query('DELETE FROM prices WHERE price_list_id = 1')
    const response = await update('price_lists', 1, { currency_code: 'USD' })
    expect(attributesOf(response)['currency_code']).toBe('USD')
  })

  it('stays with a price that comes at the same moment', async () => {
    await core.pool.query('DELETE FROM prices WHERE price_list_id = 1')
    const writer = await core.pool.connect()
    await writer.query('BEGIN')
    await writer.query(`INSERT INTO prices (environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents)
      VALUES (1, 1, 'SKU-A', 1, 'EUR', 5000)`)
    const changed = update('price_lists', 1, { currency_code: 'USD' })
    await untilWaiting()
    await writer.query('COMMIT')
    writer.release()
    expect(at(await changed)).toEqual([['422', '/data/attributes/currency_code', 'has_prices']])
  })

  it('is that of a price which comes while it changes', async () => {
    await core.pool.query('DELETE FROM prices WHERE price_list_id = 1')
    const writer = await core.pool.connect()
    await writer.query('BEGIN')
    await writer.query(`UPDATE price_lists SET currency_code = 'USD' WHERE id = 1`)
    const created = createPrice({ sku_code: 'SKU-A', amount_cents: 5000 })
    await untilWaiting()
    await writer.query('COMMIT')
    writer.release()
    expect(attributesOf(await created)['currency_code']).toBe('USD')
  })

  /** Until a statement waits for the lock of another one. */
  const untilWaiting = async (): Promise<void> => {
    for (;;) {
      const { rowCount } = await core.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      if (rowCount !== 0) return
    }
  }
})

describe('a price that goes to a list in another currency', () => {
  const toUs = (attributes: Body, price = 3) =>
    update('prices', price, attributes, { price_list: one('price_lists', 2) })

  it('needs its amount in the same request', async () => {
    const response = await toUs({ reference: 'x' })
    expect(at(response)).toEqual([['422', '/data/attributes/amount_cents', 'currency_mismatch']])
    expect(errorsOf(response)[0]?.title).toBe(
      'must be given in USD when the price goes from a price list in EUR to one in USD',
    )
    expect(attributesOf(await toUs({ amount_cents: 9900 }))).toMatchObject({
      currency_code: 'USD',
      amount_cents: 9900,
      original_amount_cents: 9900,
    })
  })

  it('needs its amount to compare with in the same request, if there is one', async () => {
    expect(at(await toUs({ amount_cents: 5500 }, 1))).toEqual([
      ['422', '/data/attributes/compare_at_amount_cents', 'currency_mismatch'],
    ])
    expect(attributesOf(await toUs({ amount_cents: 5500, compare_at_amount_cents: null }, 1))).toMatchObject({
      currency_code: 'USD',
      amount_cents: 5500,
      compare_at_amount_cents: null,
    })
  })

  it('must so in an import, too', async () => {
    const inputs = [{ id: encodeId('prices', 3), price_list_id: encodeId('price_lists', 2) }]
    const { data } = singleOf(
      await core.send('POST', '/api/imports', core.tokens.admin, {
        data: { type: 'imports', attributes: { resource_type: 'prices', inputs } },
      }),
    )
    await core.jobs.runUntilIdle()
    const { attributes } = singleOf(await core.get(`/api/imports/${data.id}`, core.tokens.admin)).data
    expect(attributes).toMatchObject({ processed_count: 0, errors_count: 1 })
    expect(JSON.stringify(attributes['errors_log'])).toContain('must be given in USD')
  })

  it('may keep its amounts in a list in the same one', async () => {
    await core.pool.query(
      `INSERT INTO price_lists (id, environment_id, name, code, currency_code) VALUES (3, 1, 'Sale', 'sale', 'EUR')`,
    )
    const response = await update('prices', 1, {}, { price_list: one('price_lists', 3) })
    expect(attributesOf(response)).toMatchObject({ currency_code: 'EUR', amount_cents: 5000 })
  })
})

describe('an order whose market has a price list in another currency now', () => {
  const moveMarket = () => update('markets', 1, {}, { price_list: one('price_lists', 2) })

  it('takes no price from it', async () => {
    const order = await draft()
    expect((await moveMarket()).status).toBe(200)
    const response = await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 1 })
    expect(at(response)).toEqual([['422', '/data/attributes/sku_code', 'no_price']])
    expect(errorsOf(response)[0]?.title).toBe("has no price in EUR in the price list of the order's market")
    const sent = { sku_code: 'SKU-B', quantity: 1, unit_amount_cents: 300 }
    expect((await add(core.tokens.admin, order, sent)).status).toBe(201)
    expect(await orderOf(order)).toMatchObject({ currency_code: 'EUR', total_amount_cents: 300 })
  })

  it('keeps the prices it has, also when it is asked to read them again', async () => {
    const order = await draft()
    const { id } = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 1 })).data
    await moveMarket()
    expect((await change(core.tokens.admin, id, { quantity: 2 })).status).toBe(200)
    expect(at(await change(core.tokens.admin, id, { unit_amount_cents: null }))).toEqual([
      ['422', '/data/attributes/sku_code', 'no_price'],
    ])
    expect(at(await changeOrder(order, { _refresh_prices: true }))).toEqual([
      ['422', '/data/attributes/_refresh_prices', 'no_price'],
    ])
    expect(await orderOf(order)).toMatchObject({ currency_code: 'EUR', total_amount_cents: 8000 })
  })

  it('takes its prices when it comes from another market', async () => {
    const order = await draft()
    await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 1 })
    await update('markets', 4, {}, { price_list: one('price_lists', 2) })
    expect((await changeOrder(order, {}, { market: one('markets', 4) })).status).toBe(200)
    expect(await orderOf(order)).toMatchObject({ currency_code: 'USD', total_amount_cents: 4500 })
  })
})
