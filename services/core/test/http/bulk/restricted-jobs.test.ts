/** Imports and exports of restricted roles: a file has no more than its reader may read one by one. */
import { gunzipSync } from 'node:zlib'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { expectUnauthorized, permission, tokenWith } from '../support/restricted-role.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('restricted_jobs')
})
afterAll(() => core.close())

type Values = Readonly<Record<string, unknown>>

const begin = (type: 'imports' | 'exports', attributes: Values, token: string) =>
  core.send('POST', `/api/${type}`, token, { data: { type, attributes } })

const exported = async (attributes: Values, token: string): Promise<string> => {
  const { id } = singleOf(await begin('exports', attributes, token)).data
  await core.jobs.runUntilIdle()
  const { rows } = await core.pool.query<{ content: Buffer }>(
    'SELECT content FROM export_parts WHERE export_id = $1 ORDER BY position',
    [testIds.decode('exports', id)],
  )
  return gunzipSync(Buffer.concat(rows.map(({ content }) => content))).toString()
}

const euOnly = { rows: { all: { market_code_eq: 'eu' } } }
const fields = { fields: { read: ['number', 'total_amount_with_taxes_cents', 'market', 'line_items'] } }

describe('an export of a restricted role', () => {
  it('has the rows and fields that the permission covers', async () => {
    const permissions = [permission('orders', { ...euOnly, ...fields }), permission('exports')]
    const token = await tokenWith(core, ...permissions)
    const records = JSON.parse(await exported({ resource_type: 'orders' }, token)) as readonly Values[]
    expect(records.map(({ number }) => number)).toEqual(['1', '2', '3', '5'])
    for (const record of records) {
      expect(Object.keys(record).sort()).toEqual([
        'formatted_total_amount_with_taxes',
        'id',
        'market_id',
        'number',
        'total_amount_with_taxes_cents',
        'total_amount_with_taxes_float',
      ])
    }
  })

  it('is narrowed as well when the token’s scope is asked for', async () => {
    const token = await tokenWith(core, permission('orders', euOnly), permission('exports'))
    const records = JSON.parse(
      await exported({ resource_type: 'orders', jwt_filters: true }, token),
    ) as readonly Values[]
    expect(records).toHaveLength(4)
  })

  it('writes no hidden value into a CSV file', async () => {
    const token = await tokenWith(
      core,
      permission('customers', { fields: { read: ['status'] } }),
      permission('exports'),
    )
    const csv = await exported({ resource_type: 'customers', format: 'csv' }, token)
    expect(csv).toContain('prospect')
    expect(csv).not.toContain('example.com')
  })

  it.each([
    ['filters', { filters: { guest_eq: true } }],
    ['includes', { includes: ['customer'] }],
  ])('may not use hidden fields in %s', async (_name, more) => {
    const permissions = [permission('orders', fields), permission('customers'), permission('exports')]
    const response = await begin(
      'exports',
      { resource_type: 'orders', ...more },
      await tokenWith(core, ...permissions),
    )
    expectUnauthorized(response)
  })

  it.each([
    ['orders', { fields: ['number', 'customer_email'] }, ['orders.customer_email']],
    [
      'orders',
      { fields: ['formatted_total_amount', 'customer'] },
      ['orders.total_amount_cents', 'orders.customer'],
    ],
    ['markets', { includes: ['merchant'], fields: ['merchant.name', 'name'] }, ['merchants.name']],
  ])('of %s is refused when a hidden field is asked for by name: %j', async (type, asked, hidden) => {
    const merchants = permission('merchants', { fields: { read: ['reference'] } })
    const token = await tokenWith(
      core,
      permission('orders', fields),
      permission('markets'),
      merchants,
      permission('exports'),
    )
    const response = await begin('exports', { resource_type: type, ...asked }, token)
    expect([response.status, errorsOf(response).map(({ detail }) => detail)]).toEqual([
      401,
      hidden.map((name) => `You are not authorized to read ${name}.`),
    ])
  })

  it('has the fields that are asked for by name and may be read, and those of * that may be', async () => {
    const token = await tokenWith(core, permission('orders', fields), permission('exports'))
    const namesOf = async (asked: readonly string[]) => {
      const file = await exported({ resource_type: 'orders', fields: asked }, token)
      return Object.keys((JSON.parse(file) as readonly Values[])[0] ?? {})
    }
    expect(await namesOf(['number', 'market', 'formatted_total_amount_with_taxes'])).toEqual(
      expect.arrayContaining(['number', 'market_id', 'formatted_total_amount_with_taxes']),
    )
    expect(await namesOf(['*'])).toHaveLength(6)
  })

  it('includes only rows that are covered', async () => {
    const permissions = [permission('customers'), permission('orders', euOnly), permission('exports')]
    const file = await exported(
      { resource_type: 'customers', includes: ['orders'] },
      await tokenWith(core, ...permissions),
    )
    const records = JSON.parse(file) as readonly { orders: readonly Values[] }[]
    expect(records.map(({ orders }) => orders.map(({ number }) => number))).toEqual([['2', '3'], []])
  })
})

describe('an import', () => {
  const item = { code: 'NEW', name: 'New', shipping_category_id: encodeId('shipping_categories', 1) }

  it.each([
    ['of the restricted type', permission('skus', { rows: { all: { code_start: 'X' } } })],
    ['of another type', permission('skus')],
  ])('is closed to restricted roles: %s', async (_name, skus) => {
    const permissions = [skus, permission('orders', euOnly), permission('imports')]
    const token = await tokenWith(core, ...permissions)
    const response = await begin('imports', { resource_type: 'skus', inputs: [item] }, token)
    expectUnauthorized(response)
    expect(errorsOf(response)[0]?.detail).toMatch(/restrictions cannot import; write resources one by one\.$/)
    expect((await core.pool.query('SELECT 1 FROM imports')).rows).toEqual([])
  })

  it('is open to custom roles without any', async () => {
    const token = await tokenWith(core, permission('skus'), permission('imports'))
    expect((await begin('imports', { resource_type: 'skus', inputs: [item] }, token)).status).toBe(201)
  })
})
