/** The pool, and what the schema itself guarantees whoever writes. */
import { openDatabase } from '../../../src/engine/database/database.ts'
import { runIn, runPrepared } from '../../../src/engine/database/run-statement.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { createSmallShop, insert, insertLineItem, insertOrder } from '../support/small-shop.ts'
import type { SmallShop } from '../support/small-shop.ts'

let core: CoreDatabase
let shop: SmallShop
let other: SmallShop
beforeAll(async () => {
  core = await openCoreDatabase('database')
  shop = await createSmallShop(core.database)
  other = await createSmallShop(core.database, { mode: 'live' })
})
afterAll(() => core.drop())

const environment = () => ({ environment_id: shop.environmentId })

describe('transactions', () => {
  it('prepare statements that have a name, and no others', async () => {
    const names = await core.database.transaction(async (transaction) => {
      const run = runIn(transaction)
      await run({ text: 'SELECT $1::bigint AS named', values: [1], name: 'a_named_statement' })
      await run({ text: 'SELECT $1::bigint AS nameless', values: [1] })
      return transaction.query('SELECT name FROM pg_prepared_statements')
    })
    expect(names).toEqual([{ name: 'a_named_statement' }])
  })

  it('begin again when a column was added to a table of a prepared statement', async () => {
    await core.database.query('CREATE TABLE growing (id bigint)')
    const read = () =>
      core.database.transaction((transaction) =>
        runPrepared(transaction)({ text: 'SELECT * FROM growing', values: [] }),
      )
    await core.database.query('INSERT INTO growing VALUES (1)')
    expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill([{ id: 1 }]))
    await core.database.query(`ALTER TABLE growing ADD COLUMN name text DEFAULT 'x'`)
    expect(await Promise.all([read(), read(), read()])).toEqual(Array(3).fill([{ id: 1, name: 'x' }]))
    await core.database.query('DROP TABLE growing')
  })

  it('commit what was written, and give what was returned', async () => {
    const id = await core.database.transaction((transaction) => insertOrder(transaction, shop))
    expect(await core.database.query('SELECT id FROM orders WHERE id = $1', [id])).toEqual([{ id }])
  })

  it('roll back everything when anything fails', async () => {
    const before = await core.database.query('SELECT count(*) FROM orders')
    await expect(
      core.database.transaction(async (transaction) => {
        await insertOrder(transaction, shop)
        await insertOrder(transaction, shop, { status: 'nowhere' })
      }),
    ).rejects.toThrow('orders_status_check')
    expect(await core.database.query('SELECT count(*) FROM orders')).toEqual(before)
  })

  it('that only read see one state, and cannot write', async () => {
    await core.database.transaction(
      async (snapshot) => {
        const before = await snapshot.query('SELECT count(*) FROM orders')
        await insertOrder(core.database, shop)
        expect(await snapshot.query('SELECT count(*) FROM orders')).toEqual(before)
      },
      { isReadOnlySnapshot: true },
    )
    await expect(
      core.database.transaction((snapshot) => insertOrder(snapshot, shop), { isReadOnlySnapshot: true }),
    ).rejects.toMatchObject({ code: 'service_unavailable', cause: { code: '25006' } })
  })

  it('plan a statement once for all values where that is wanted, and nowhere else', async () => {
    const plansFor = (hasGenericPlans: boolean) =>
      core.database.transaction(
        async (transaction) => {
          const text = 'SELECT id FROM orders WHERE environment_id = $1 AND id = ANY($2::bigint[])'
          const name = `orders_of_numbers_${hasGenericPlans}`
          await transaction.query(text, [shop.environmentId, [1]], name)
          return transaction.query(
            `SELECT generic_plans, custom_plans, current_setting('plan_cache_mode') AS mode
             FROM pg_prepared_statements WHERE name = $1`,
            [name],
          )
        },
        { hasGenericPlans },
      )
    expect(await plansFor(true)).toEqual([{ generic_plans: 1, custom_plans: 0, mode: 'force_generic_plan' }])
    expect(await plansFor(false)).toEqual([{ generic_plans: 0, custom_plans: 1, mode: 'auto' }])
  })

  it('give back their connection, whatever happens', async () => {
    const { pool } = core.database
    for (let round = 0; round < 25; round += 1) {
      await core.database.transaction(() => Promise.reject(new Error('no'))).catch(() => undefined)
    }
    expect(pool.idleCount).toBe(pool.totalCount)
  })
})

test('cancels a statement that takes too long, and answers when to try again', async () => {
  const impatient = openDatabase({ url: core.database.url, statementTimeoutMs: 100 })
  await expect(impatient.query('SELECT pg_sleep(5)')).rejects.toMatchObject({
    code: 'service_unavailable',
    cause: { code: '57014' },
  })
  await impatient.close()
})

describe('a reference to another environment cannot be stored:', () => {
  it.each([
    ['a market', () => insertOrder(core.database, shop, { market_id: other.marketId })],
    ['a customer', () => insertOrder(core.database, shop, { customer_id: other.customerId })],
    ['an address', () => insertOrder(core.database, shop, { shipping_address_id: other.addressId })],
    ['an order', async () => insertLineItem(core.database, shop, await insertOrder(core.database, other))],
  ])('%s', async (_what, write) => {
    await expect(write()).rejects.toMatchObject({ code: '23503' })
  })

  it('the item of a line, through the column made from its type', async () => {
    const order = await insertOrder(core.database, shop)
    const foreign = { environment_id: other.environmentId }
    const category = await insert(core.database, 'shipping_categories', { ...foreign, name: 'x' })
    const sku = await insert(core.database, 'skus', {
      ...foreign,
      code: 'X',
      name: 'x',
      shipping_category_id: category,
    })
    await expect(
      insertLineItem(core.database, shop, order, { item_type: 'skus', item_id: sku }),
    ).rejects.toMatchObject({
      code: '23503',
      constraint: 'line_items_sku_fkey',
    })
  })

  it('a row cannot move to another environment', async () => {
    const order = await insertOrder(core.database, shop)
    await expect(
      core.database.query('UPDATE orders SET environment_id = $1 WHERE id = $2', [
        other.environmentId,
        order,
      ]),
    ).rejects.toMatchObject({ code: '23503' })
  })
})

describe('codes and numbers', () => {
  it('are unique in an environment only', async () => {
    await expect(
      insert(core.database, 'price_lists', {
        ...environment(),
        name: 'again',
        code: 'EUR',
        currency_code: 'EUR',
      }),
    ).rejects.toMatchObject({ code: '23505', constraint: 'price_lists_code_key' })
  })

  it.each(['has space', 'x'.repeat(26), 'ünïcode', ''])('a code may not be %j', async (code) => {
    await expect(
      insert(core.database, 'customer_groups', { ...environment(), name: 'x', code }),
    ).rejects.toMatchObject({
      constraint: 'customer_groups_code_check',
    })
  })

  it('emails are unique whatever their case', async () => {
    await expect(
      insert(core.database, 'customers', { ...environment(), email: 'ANN@example.com' }),
    ).rejects.toMatchObject({
      constraint: 'customers_email_key',
    })
  })

  it('count from one in each environment, and pass over numbers that were chosen by hand', async () => {
    const fresh = await createSmallShop(core.database, { organizationId: 'cccccccccc' })
    await insertOrder(core.database, fresh, { number: '2' })
    const ids = [await insertOrder(core.database, fresh), await insertOrder(core.database, fresh)]
    expect(
      await core.database.query('SELECT number FROM orders WHERE id = ANY ($1) ORDER BY id', [ids]),
    ).toEqual([{ number: '1' }, { number: '3' }])
    expect(await core.database.query('SELECT number FROM markets WHERE id = $1', [fresh.marketId])).toEqual([
      { number: 1 },
    ])
  })
})

describe('a SKU', () => {
  it('takes its code to prices and stock when it changes, and both with it when it goes', async () => {
    const category = await insert(core.database, 'shipping_categories', { ...environment(), name: 'x' })
    const sku_id = await insert(core.database, 'skus', {
      ...environment(),
      code: 'OLD',
      name: 'x',
      shipping_category_id: category,
    })
    const shared = { ...environment(), sku_id, sku_code: 'OLD' }
    await insert(core.database, 'prices', {
      ...shared,
      price_list_id: shop.priceListId,
      currency_code: 'EUR',
      amount_cents: 100,
    })
    await insert(core.database, 'stock_items', {
      ...shared,
      stock_location_id: shop.stockLocationId,
      quantity: 1,
    })
    const codes = () =>
      core.database.query(
        'SELECT sku_code FROM prices WHERE sku_id = $1 UNION ALL SELECT sku_code FROM stock_items WHERE sku_id = $1',
        [sku_id],
      )
    await core.database.query("UPDATE skus SET code = 'NEW' WHERE id = $1", [sku_id])
    expect(await codes()).toEqual([{ sku_code: 'NEW' }, { sku_code: 'NEW' }])
    await core.database.query('DELETE FROM skus WHERE id = $1', [sku_id])
    expect(await codes()).toEqual([])
  })

  it('that was ordered stays', async () => {
    const category = await insert(core.database, 'shipping_categories', { ...environment(), name: 'y' })
    const sku = await insert(core.database, 'skus', {
      ...environment(),
      code: 'KEPT',
      name: 'x',
      shipping_category_id: category,
    })
    await insertLineItem(core.database, shop, await insertOrder(core.database, shop), {
      item_type: 'skus',
      item_id: sku,
    })
    await expect(core.database.query('DELETE FROM skus WHERE id = $1', [sku])).rejects.toMatchObject({
      code: '23503',
    })
  })
})

test('updated_at moves with every change that does not set it itself', async () => {
  const id = await insert(core.database, 'customer_groups', {
    ...environment(),
    name: 'x',
    updated_at: new Date(0),
  })
  const updatedAt = async (): Promise<Date | undefined> => {
    const [row] = await core.database.query<{ updated_at: Date }>(
      'SELECT updated_at FROM customer_groups WHERE id = $1',
      [id],
    )
    return row?.updated_at
  }
  await core.database.query("UPDATE customer_groups SET name = 'y' WHERE id = $1", [id])
  expect((await updatedAt())?.getTime()).toBeGreaterThan(0)
  await core.database.query("UPDATE customer_groups SET updated_at = '2026-01-01Z' WHERE id = $1", [id])
  expect(await updatedAt()).toEqual(new Date('2026-01-01T00:00:00.000Z'))
})
