/** Accounts at carriers and pickups: stored and sealed, and no carrier is called; stock line items by their former name. */
import { decodeId, encodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createSecretBox } from '../../../src/engine/secret-box.ts'
import { errorsOf, listOf, NOW, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, checkoutCalls, linkTo, one, WITH_SHIPPING } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore
let shipment: string

beforeAll(async () => {
  core = await openCore('carriers')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(WITH_SHIPPING)
  const order = await payable()
  await move(order, '_place', '_approve_and_capture')
  shipment = listOf(await core.get(`/api/orders/${order}/shipments`, core.tokens.admin)).data[0]?.id ?? ''
})
afterAll(() => core.close())

const { payable, move } = checkoutCalls(() => core)

const create = (type: string, attributes: Body, relationships: Body = {}) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes, relationships } })

const change = (type: string, id: string, attributes: Body) =>
  core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, { data: { type, id, attributes } })

const idsOf = async (path: string): Promise<readonly string[]> =>
  listOf(await core.get(path, core.tokens.admin)).data.map(({ id }) => id)

const NOT_CALLED = /whose vendor Merx does not call.*use parcels/

const ACCOUNT = { name: 'Ours', easypost_type: 'UpsAccount', credentials: { account: 'hush-1' } }

const newAccount = async (market?: number): Promise<string> => {
  const links = market === undefined ? {} : { market: one('markets', market) }
  return singleOf(await create('carrier_accounts', ACCOUNT, links)).data.id
}

const { open } = createSecretBox(TEST_ID_SECRET)

const credentialsIn = async (id: string): Promise<unknown> => {
  const { rows } = await core.pool.query<{ sealed_credentials: string }>(
    'SELECT sealed_credentials FROM carrier_accounts WHERE id = $1',
    [decodeId('carrier_accounts', id)],
  )
  return open(rows[0]?.sealed_credentials)
}

describe('a carrier account', () => {
  it('keeps its credentials sealed and shows them to nobody', async () => {
    const id = await newAccount()
    const read = singleOf(await core.get(`/api/carrier_accounts/${id}`, core.tokens.admin)).data.attributes
    expect(read).toMatchObject({ name: 'Ours', easypost_type: 'UpsAccount', easypost_id: null })
    expect(read).not.toHaveProperty('credentials')
    expect(await credentialsIn(id)).toEqual({ account: 'hush-1' })
    expect((await change('carrier_accounts', id, { credentials: { account: 'hush-2' } })).status).toBe(200)
    expect(await credentialsIn(id)).toEqual({ account: 'hush-2' })
    const { rows } = await core.pool.query<{ text: string }>(
      `SELECT carrier_accounts::text AS text FROM carrier_accounts
       UNION ALL SELECT versions::text FROM versions UNION ALL SELECT events::text FROM events`,
    )
    expect(rows.map(({ text }) => text).join()).not.toContain('hush')
    expect((await core.send('DELETE', `/api/carrier_accounts/${id}`, core.tokens.admin)).status).toBe(204)
  })

  it('is refused without credentials, or with a text in their place', async () => {
    expect(at(await create('carrier_accounts', { ...ACCOUNT, credentials: null }))).toEqual([
      ['422', '/data/attributes/credentials', 'blank'],
    ])
    const refused = await create('carrier_accounts', { ...ACCOUNT, credentials: 'hush' })
    expect(at(refused)).toEqual([['422', '/data/attributes/credentials', 'invalid']])
    expect(JSON.stringify(refused.body)).not.toContain('hush')
  })

  it('is offered to shipments of its market, or of all', async () => {
    const [everywhere, here, elsewhere] = [await newAccount(), await newAccount(1), await newAccount(2)]
    expect(elsewhere).not.toBe(here)
    expect(await idsOf(`/api/shipments/${shipment}/carrier_accounts`)).toEqual([everywhere, here])
  })

  it.each(['_get_rates', '_purchase'])('is asked for nothing by %s of a shipment', async (trigger) => {
    await newAccount()
    const refused = await change('shipments', shipment, { [trigger]: true })
    expect(at(refused)).toEqual([['422', `/data/attributes/${trigger}`, 'not_supported']])
    expect(errorsOf(refused)[0]?.title).toMatch(NOT_CALLED)
  })
})

describe('a pickup', () => {
  const inHours = (hours: number) => new Date(Date.parse(NOW) + hours * 3_600_000).toISOString()
  const WINDOW = { min_datetime: inHours(2), max_datetime: inHours(20), instructions: 'Ring twice' }
  const newPickup = (attributes: Body = {}) =>
    create('easypost_pickups', { ...WINDOW, ...attributes }, { shipment: linkTo('shipments', shipment) })

  it('is that of its shipment, with its parcels', async () => {
    await core.pool
      .query(`INSERT INTO packages (id, environment_id, name, stock_location_id, length, width, height, unit_of_length)
        VALUES (1, 1, 'Box', 1, 10, 10, 10, 'cm')`)
    const links = { shipment: linkTo('shipments', shipment), package: one('packages', 1) }
    const parcel = singleOf(await create('parcels', { weight: 5, unit_of_weight: 'gr' }, links)).data.id
    await newPickup()
    const { id, attributes } = singleOf(await newPickup()).data
    expect(attributes).toMatchObject({ ...WINDOW, status: 'unknown', internal_id: null, rates: null })
    const path = `/api/shipments/${shipment}?include=pickup.parcels`
    const { included = [] } = singleOf(await core.get(path, core.tokens.admin))
    expect(included.map((each) => [each.type, each.id])).toEqual([
      ['easypost_pickups', id],
      ['parcels', parcel],
    ])
    expect(await idsOf(`/api/pickups?filter[q][parcels_id_eq]=${parcel}`)).toHaveLength(2)
    expect((await core.send('DELETE', `/api/easypost_pickups/${id}`, core.tokens.admin)).status).toBe(204)
  })

  it.each([
    ['too soon', { min_datetime: inHours(1.9) }, 'min_datetime'],
    ['that ends before it begins', { max_datetime: inHours(2) }, 'max_datetime'],
    ['longer than a day', { max_datetime: inHours(26.1) }, 'max_datetime'],
  ])('is refused with a window %s', async (_case, attributes, name) => {
    expect(at(await newPickup(attributes))).toEqual([['422', `/data/attributes/${name}`, 'invalid']])
  })

  it('is refused without a window and a shipment', async () => {
    expect(at(await create('easypost_pickups', {}))).toEqual([
      ['422', '/data/attributes/min_datetime', 'blank'],
      ['422', '/data/attributes/max_datetime', 'blank'],
      ['422', '/data/relationships/shipment', 'blank'],
    ])
  })

  it('is not bought', async () => {
    const { id } = singleOf(await newPickup()).data
    expect((await change('easypost_pickups', id, { selected_rate_id: 'rate_1' })).status).toBe(200)
    const refused = await change('easypost_pickups', id, { _purchase: true })
    expect(at(refused)).toEqual([['422', '/data/attributes/_purchase', 'not_supported']])
    expect(errorsOf(refused)[0]?.title).toMatch(NOT_CALLED)
  })
})

describe('a shipment line item', () => {
  it('is a stock line item by its former name, and only read', async () => {
    const [stockLine = ''] = await idsOf(`/api/shipments/${shipment}/stock_line_items`)
    const id = encodeId('shipment_line_items', decodeId('stock_line_items', stockLine) ?? 0)
    const path = `/api/shipment_line_items/${id}`
    const { data, included = [] } = singleOf(
      await core.get(`${path}?include=shipment,line_item,sku,stock_item`, core.tokens.admin),
    )
    const twin = singleOf(await core.get(`/api/stock_line_items/${stockLine}`, core.tokens.admin)).data
    expect(data.attributes).toEqual(
      Object.fromEntries(Object.keys(data.attributes).map((name) => [name, twin.attributes[name]])),
    )
    expect(included.map((each) => each.type).toSorted()).toEqual([
      'line_items',
      'shipments',
      'skus',
      'stock_items',
    ])
    const filter = 'filter[q][sku_code_eq]=SKU-A'
    expect(await idsOf(`/api/shipment_line_items?${filter}`)).toEqual([id])
    expect((await core.send('DELETE', path, core.tokens.admin)).status).toBe(405)
    const of = singleOf(
      await core.get(`/api/shipments/${shipment}?include=shipment_line_items`, core.tokens.admin),
    )
    expect(of.included?.map((each) => [each.type, each.id])).toEqual([['shipment_line_items', id]])
  })
})
