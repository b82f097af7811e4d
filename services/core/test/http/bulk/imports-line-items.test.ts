/** docs/adr/0024-imports-and-exports.md: lines of orders, also of those that were placed, and imports that are repeated. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('imports_line_items')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Attributes = Readonly<Record<string, unknown>>

const begin = async (attributes: Attributes): Promise<string> =>
  singleOf(
    await core.send('POST', '/api/imports', core.tokens.admin, { data: { type: 'imports', attributes } }),
  ).data.id

const resultOf = async (id: string): Promise<Attributes> =>
  singleOf(await core.get(`/api/imports/${id}`, core.tokens.admin)).data.attributes

/** Order 3 was approved, and has one line, of SKU-A. */
const order = encodeId('orders', 3)

const run = async (inputs: readonly Attributes[] | string, more: Attributes = {}): Promise<Attributes> => {
  const id = await begin({
    resource_type: 'line_items',
    parent_resource_id: order,
    skip_errors: true,
    inputs,
    ...more,
  })
  await core.jobs.runUntilIdle()
  return resultOf(id)
}

const lines = async () => {
  const { rows } = await core.pool.query<Attributes>(
    `SELECT coalesce(sku_code, name) AS what, quantity, reference FROM line_items WHERE order_id = 3 ORDER BY id`,
  )
  return rows.map(({ what, quantity, reference }) => [what, quantity, reference])
}

const first = ['SKU-A', 1, null]

describe('line items of an import', () => {
  it('are found again by order and reference, also in an order that was placed', async () => {
    const inputs = [
      { sku_code: 'SKU-B', quantity: 2, reference: 'L1' },
      { name: 'Repair', unit_amount_cents: 700, quantity: 1, reference: 'L2' },
    ]
    const clean = { processed_count: 2, errors_count: 0, warnings_count: 0 }
    expect(await run(inputs)).toMatchObject(clean)
    expect(await run(inputs)).toMatchObject(clean)
    expect(await lines()).toEqual([first, ['SKU-B', 2, 'L1'], ['Repair', 1, 'L2']])
    expect(await run([{ reference: 'L1', quantity: 5 }])).toMatchObject({ warnings_count: 0 })
    expect(await lines()).toEqual([first, ['SKU-B', 5, 'L1'], ['Repair', 1, 'L2']])
  })

  it('are so in CSV, and when they name the SKU by its id', async () => {
    const csv = { format: 'csv' }
    await run('sku_code,quantity,reference\nSKU-B,2,L1\n', csv)
    await run('sku_code,quantity,reference\nSKU-B,3,L1\n', csv)
    const item = { item_type: 'skus', item_id: encodeId('skus', 2), quantity: 4, reference: 'L1' }
    await run([item])
    expect(await lines()).toEqual([first, ['SKU-B', 4, 'L1']])
  })

  it('of another article are other lines, and the log says that they share a reference', async () => {
    const inputs = [
      { sku_code: 'SKU-A', quantity: 1, reference: 'batch' },
      { sku_code: 'SKU-B', quantity: 1, reference: 'batch' },
      { name: 'Repair', unit_amount_cents: 700, quantity: 1, reference: 'batch' },
      { name: 'Cleaning', unit_amount_cents: 700, quantity: 1, reference: 'batch' },
    ]
    const job = await run(inputs)
    expect(job).toMatchObject({ processed_count: 4, errors_count: 0, warnings_count: 3 })
    const message = 'is that of line_items which are something else, so that another was created'
    expect(job['warnings_log']).toMatchObject({ 'SKU-B': { reference: [message] } })
    expect(await run(inputs)).toMatchObject({ processed_count: 4, errors_count: 0, warnings_count: 0 })
    expect(await lines()).toHaveLength(5)
  })

  it('are refused when several may be meant', async () => {
    const twice = `INSERT INTO line_items (environment_id, order_id, item_type, item_id, sku_code, quantity, currency_code, reference)
      VALUES (1, 3, 'skus', 2, 'SKU-B', 1, 'EUR', 'L1')`
    await core.pool.query(twice)
    await core.pool.query(twice)
    const job = await run([{ sku_code: 'SKU-B', quantity: 2, reference: 'L1' }])
    expect(job['errors_log']).toEqual({
      'SKU-B': { reference: ['is that of several line_items; give the id of the one that is meant'] },
    })
    expect(await lines()).toEqual([first, ['SKU-B', 1, 'L1'], ['SKU-B', 1, 'L1']])
  })

  it('of other orders are others, whatever their reference', async () => {
    const line = { sku_code: 'SKU-B', quantity: 1, reference: 'L1' }
    await run([line, { ...line, order_id: encodeId('orders', 5) }])
    const { rows } = await core.pool.query(
      `SELECT order_id FROM line_items WHERE reference = 'L1' ORDER BY order_id`,
    )
    expect(rows).toEqual([{ order_id: 3 }, { order_id: 5 }])
  })

  it('without a reference are new ones, and the log says when they look like one that is there', async () => {
    const job = await run([
      { sku_code: 'SKU-A', quantity: 1 },
      { sku_code: 'SKU-B', quantity: 1 },
      { name: 'Repair', unit_amount_cents: 700, quantity: 1 },
      { name: 'Repair', unit_amount_cents: 700, quantity: 1 },
    ])
    expect(job).toMatchObject({ processed_count: 4, errors_count: 0, warnings_count: 2 })
    const message =
      'looks like one of the line_items that are there already; to change that one instead, give its id or reference'
    expect(job['warnings_log']).toEqual({ 'SKU-A': { base: [message] }, Repair: { base: [message] } })
    expect(await lines()).toHaveLength(5)
  })

  it('are not made twice by two imports at once', async () => {
    const inputs = [{ sku_code: 'SKU-B', quantity: 1, reference: 'L1' }]
    const job = { resource_type: 'line_items', parent_resource_id: order, inputs }
    await begin(job)
    await begin(job)
    const holder = await core.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM orders WHERE id = 3 FOR UPDATE')
    const running = Promise.all([core.jobs.runUntilIdle(), core.jobs.runUntilIdle()])
    await untilWaiting(2)
    await holder.query('COMMIT')
    holder.release()
    await running
    expect(await lines()).toEqual([first, ['SKU-B', 1, 'L1']])
  })

  it('of two imports at once may be of the same orders the other way round', async () => {
    const line = (number: number) => ({
      sku_code: 'SKU-B',
      quantity: 1,
      reference: 'L1',
      order_id: encodeId('orders', number),
    })
    const jobs: string[] = []
    for (const numbers of [
      [3, 5],
      [5, 3],
    ])
      // the same reference again begins another run of items
      jobs.push(
        await begin({
          resource_type: 'line_items',
          inputs: [...numbers.map(line), ...numbers.map(line)],
        }),
      )
    const holder = await core.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM skus WHERE id = 2 FOR UPDATE')
    const running = Promise.all([core.jobs.runUntilIdle(), core.jobs.runUntilIdle()])
    await untilWaiting(2)
    await holder.query('COMMIT')
    holder.release()
    await running
    for (const job of jobs) expect(await resultOf(job)).toMatchObject({ status: 'completed', errors_log: {} })
    expect(await lines()).toEqual([first, ['SKU-B', 1, 'L1']])
  })

  it('by their id wait for who writes the order, and are not in the way', async () => {
    await run([{ sku_code: 'SKU-B', quantity: 1, reference: 'L1' }])
    const { rows } = await core.pool.query<{ id: number }>(`SELECT id FROM line_items WHERE reference = 'L1'`)
    const id = encodeId('line_items', Number(rows[0]?.id))
    const job = await begin({ resource_type: 'line_items', inputs: [{ id, quantity: 3 }] })
    const holder = await core.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM orders WHERE id = 3 FOR NO KEY UPDATE')
    const running = core.jobs.runUntilIdle()
    await untilWaiting(1)
    await holder.query(`UPDATE line_items SET name = 'Shirt' WHERE reference = 'L1'`)
    await holder.query('COMMIT')
    holder.release()
    await running
    expect(await resultOf(job)).toMatchObject({ status: 'completed', errors_log: {} })
    expect(await lines()).toEqual([first, ['SKU-B', 3, 'L1']])
  })

  /** Until as many statements wait for the locks of others. */
  const untilWaiting = async (statements: number): Promise<void> => {
    for (;;) {
      const { rowCount } = await core.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      if ((rowCount ?? 0) >= statements) return
    }
  }
})
