/** Accounts at tax services: their credentials are sealed and never shown, and no service is called, which `_place` says. */
import { decodeId, encodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createSecretBox } from '../../../src/engine/secret-box.ts'
import { TAX_VENDOR_TYPES, vendorTaxAccounts } from '../../../src/taxes/vendor-accounts.ts'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('vendor_tax_accounts')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await freeShipping()
})
afterAll(() => core.close())

const { freeShipping, payable, ok, patch, statusesOf } = paymentCalls(() => core)
const { changeOrder, orderOf } = orderCalls(() => core)

interface Sample {
  readonly credentials: Body
  readonly settings: Body
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  avalara_accounts: {
    credentials: { password: 'hush-1' },
    settings: { username: 'shop', company_code: 'SHOP', commit_invoice: true, ddp: false },
  },
  stripe_tax_accounts: { credentials: { api_key: 'hush-1' }, settings: { commit_invoice: false } },
  taxjar_accounts: { credentials: { api_key: 'hush-1' }, settings: {} },
  vertex_accounts: {
    credentials: { client_id: 'hush-1', client_secret: 'hush-2' },
    settings: { kind: 'on_demand', baseurl: 'shop.example.com' },
  },
}

const create = (type: string, attributes: Body, relationships: Body = {}) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes, relationships } })

const sampleOf = (type: string): Sample => SAMPLES[type] ?? { credentials: {}, settings: {} }

const accountOf = (type: string): Body => {
  const { credentials, settings } = sampleOf(type)
  return { name: 'Ours', ...settings, ...credentials }
}

const newAccount = async (type: string): Promise<string> =>
  singleOf(await create(type, accountOf(type))).data.id

const useIn = async (market: number, calculator: unknown) => {
  const id = encodeId('markets', market)
  return core.send('PATCH', `/api/markets/${id}`, core.tokens.admin, {
    data: { type: 'markets', id, relationships: { tax_calculator: calculator } },
  })
}

const rowOf = async (id: string): Promise<Body> => {
  const { rows } = await core.pool.query<Body>('SELECT * FROM tax_calculators WHERE id = $1', [
    decodeId('tax_calculators', id),
  ])
  return rows[0] ?? {}
}

const { open } = createSecretBox(TEST_ID_SECRET)

const NOT_CALLED = /whose vendor Merx does not call.*external_tax_calculators.*manual_tax_calculators/

describe.each(TAX_VENDOR_TYPES)('%s', (type) => {
  const { credentials, settings } = sampleOf(type)

  it('keeps its credentials sealed and shows none of them', async () => {
    const { data } = singleOf(await create(type, accountOf(type)))
    const read = attributesOf(await core.get(`/api/${type}/${data.id}`, core.tokens.admin))
    expect(read).toMatchObject({ name: 'Ours', ...settings })
    const row = await rowOf(data.id)
    for (const [name, value] of Object.entries(credentials)) {
      expect(read).not.toHaveProperty(name)
      expect(open(row[`sealed_${name}`])).toBe(value)
    }
    const { rows } = await core.pool.query<{ text: string }>(
      `SELECT tax_calculators::text AS text FROM tax_calculators
       UNION ALL SELECT versions::text FROM versions UNION ALL SELECT events::text FROM events`,
    )
    expect(rows.map(({ text }) => text).join()).not.toContain('hush')
    const all = listOf(await core.get('/api/tax_calculators', core.tokens.admin)).data
    expect(all.map((each) => [each.type, each.id])).toEqual([[type, data.id]])
  })

  it('is changed and deleted, but not while a market uses it', async () => {
    const id = await newAccount(type)
    const [name = ''] = Object.keys(credentials)
    expect(attributesOf(ok(await patch(type, id, { name: 'Other', [name]: 'hush-new' })))['name']).toBe(
      'Other',
    )
    expect(open((await rowOf(id))[`sealed_${name}`])).toBe('hush-new')
    ok(await useIn(1, linkTo(type, id)))
    const remove = () => core.send('DELETE', `/api/${type}/${id}`, core.tokens.admin)
    expect((await remove()).status).toBe(423)
    ok(await useIn(1, { data: null }))
    expect((await remove()).status).toBe(204)
  })

  it('needs its credentials', async () => {
    const { attributes = {} } = vendorTaxAccounts.find((each) => each.type === type) ?? {}
    const required = Object.keys(attributes).filter((name) => attributes[name]?.required)
    expect(at(await create(type, {}))).toEqual(
      required.map((name) => ['422', `/data/attributes/${name}`, 'blank']),
    )
  })

  it('is closed to shop fronts', async () => {
    const id = await newAccount(type)
    const token = await core.tokens.mint(salesChannel([1]))
    expect((await core.get(`/api/${type}/${id}`, token)).status).toBe(401)
  })

  it('fills no cart with taxes, and lets none be placed', async () => {
    const order = await payable()
    ok(await useIn(1, linkTo(type, await newAccount(type))))
    ok(await changeOrder(order, { _refresh: true }))
    expect(await orderOf(order)).toMatchObject({ total_tax_amount_cents: 0, tax_calculations_count: 0 })
    const { rows } = await core.pool.query(
      "SELECT 1 FROM events WHERE name = 'orders.tax_calculation_failed'",
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const [trigger, pointer] of [
      ['_place', '/data/relationships/market'],
      ['_update_taxes', '/data/attributes/_update_taxes'],
    ] as const) {
      const refused = await changeOrder(order, { [trigger]: true })
      expect(at(refused)).toEqual([['422', pointer, 'not_supported']])
      expect(errorsOf(refused)[0]?.title).toMatch(NOT_CALLED)
      expect(errorsOf(refused)[0]?.title).toContain(type)
    }
    expect((await statusesOf(order))[0]).toBe('pending')
    ok(await useIn(1, { data: null }))
    ok(await changeOrder(order, { _place: true }))
  })
})

it('knows the codes of SKUs, where its service has any', async () => {
  const id = await newAccount('taxjar_accounts')
  const links = { sku: one('skus', 1), tax_calculator: linkTo('taxjar_accounts', id) }
  const category = singleOf(await create('tax_categories', { code: '20010' }, links)).data.id
  const listed = await core.get(`/api/taxjar_accounts/${id}/tax_categories`, core.tokens.admin)
  expect(listOf(listed).data.map((each) => each.id)).toEqual([category])
})

it('of Vertex needs an address unless it is in the cloud, and renews no token', async () => {
  const account = accountOf('vertex_accounts')
  const refused = await create('vertex_accounts', { ...account, baseurl: null })
  expect(at(refused)).toEqual([['422', '/data/attributes/baseurl', 'blank']])
  const { data } = singleOf(await create('vertex_accounts', { ...account, kind: 'cloud', baseurl: null }))
  expect(data.attributes).toMatchObject({ api_endpoint: null, token_expires_at: null })
  const renewed = await patch('vertex_accounts', data.id, { _refresh_token: true })
  expect(at(renewed)).toEqual([['422', '/data/attributes/_refresh_token', 'not_supported']])
  expect(errorsOf(renewed)[0]?.title).toMatch(NOT_CALLED)
})
