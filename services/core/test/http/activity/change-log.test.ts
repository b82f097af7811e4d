/** Versions, events and event stores: every write is logged in its own transaction (core-conventions.md 8.5). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { CollectionBody, TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('change_log')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { add, begin, draft, changeOrder, remove } = orderCalls(() => core)

const patch = (type: string, id: string, attributes: Body, relationships: Body = {}) =>
  core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, {
    data: { type, id, attributes, relationships },
  })

const versionsOf = async (type: string, id: string) =>
  listOf(await core.get(`/api/${type}/${id}/versions?page[size]=25`, core.tokens.admin)).data

const eventsOf = async (type: string, id: string) =>
  listOf(await core.get(`/api/${type}/${id}/events?page[size]=25`, core.tokens.admin)).data.map(
    ({ attributes }) => attributes['name'],
  )

const logged = async (): Promise<unknown> => (await core.pool.query('SELECT FROM versions')).rowCount

const SKU = encodeId('skus', 1)

describe('versions', () => {
  it('say what each write changed, before and after, and who wrote it', async () => {
    await patch(
      'skus',
      SKU,
      { name: 'Black T-shirt', weight: 300.5, metadata: {} },
      {
        shipping_category: one('shipping_categories', 2),
      },
    )
    const [version, ...others] = await versionsOf('skus', SKU)
    expect(others).toEqual([])
    expect(version?.attributes).toMatchObject({
      resource_type: 'skus',
      resource_id: SKU,
      event: 'update',
      changes: {
        name: ['Black shirt', 'Black T-shirt'],
        metadata: [{ season: { year: 2026 }, tags: ['a', 'b'] }, {}],
        shipping_category_id: [encodeId('shipping_categories', 1), encodeId('shipping_categories', 2)],
      },
      who: { application: { kind: 'integration', public: false } },
    })
    expect(Object.keys(version?.attributes['changes'] ?? {}).sort()).toEqual([
      'metadata',
      'name',
      'shipping_category_id',
    ])
  })

  it('begin with the creation and outlive the record', async () => {
    const { id } = singleOf(
      await core.send('POST', '/api/merchants', core.tokens.admin, {
        data: {
          type: 'merchants',
          attributes: { name: 'Shop' },
          relationships: { address: one('addresses', 1) },
        },
      }),
    ).data
    expect((await versionsOf('merchants', id)).map(({ attributes }) => attributes['event'])).toEqual([
      'create',
    ])
    await core.send('DELETE', `/api/merchants/${id}`, core.tokens.admin)
    const all = await core.get(`/api/versions?filter[q][resource_id_eq]=${id}&sort=id`, core.tokens.admin)
    expect(listOf(all).data.map(({ attributes }) => [attributes['event'], attributes['changes']])).toEqual([
      [
        'create',
        expect.objectContaining({ name: [null, 'Shop'], address_id: [null, encodeId('addresses', 1)] }),
      ],
      ['destroy', expect.objectContaining({ name: ['Shop', null] })],
    ])
  })

  it('are not made by a write that changes nothing or is refused', async () => {
    await patch('skus', SKU, { name: 'Black shirt' })
    await patch('skus', SKU, { name: '' })
    await patch('skus', SKU, { name: 'Other', code: 'SKU-B' })
    expect(await logged()).toBe(0)
  })

  it('hold no secrets', async () => {
    await patch('customers', encodeId('customers', 1), { password: 'correct horse' })
    await patch('markets', encodeId('markets', 1), { _regenerate_shared_secret: true })
    const { rows } = await core.pool.query<{ text: string }>('SELECT changes::text AS text FROM versions')
    expect(rows.map(({ text }) => text).join()).not.toMatch(/argon2|password|shared_secret|[0-9a-f]{64}/)
  })

  it('of an order follow from its lines', async () => {
    const order = await draft({ customer_email: 'ada@example.com' })
    await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 2 })
    const versions = await versionsOf('orders', order)
    expect(versions.map(({ attributes }) => attributes['event'])).toEqual(['create', 'update'])
    expect(versions[1]?.attributes['changes']).toMatchObject({
      status: ['draft', 'pending'],
      total_amount_cents: [0, 10_000],
    })
  })

  it('are read only, and belong to their organization and mode', async () => {
    await patch('skus', SKU, { name: 'Other' })
    const [version] = await versionsOf('skus', SKU)
    const id = version?.id ?? ''
    expect((await core.send('PATCH', `/api/versions/${id}`, core.tokens.admin, {})).status).toBe(405)
    expect((await core.send('DELETE', `/api/versions/${id}`, core.tokens.admin)).status).toBe(405)
    for (const token of [core.tokens.live, core.tokens.otherOrganization]) {
      expect((await core.get(`/api/versions/${id}`, token)).status).toBe(404)
      expect(listOf(await core.get('/api/versions', token)).meta.record_count).toBe(0)
    }
    expect((await core.get('/api/versions', await core.tokens.mint(salesChannel([1])))).status).toBe(401)
  })

  it('name the customer a token speaks for', async () => {
    const ada = await core.tokens.mint(customer(1, [1]))
    const order = await begin(ada)
    const [version] = await versionsOf('orders', order)
    expect(version?.attributes['who']).toEqual({
      application: { id: 'aPPsaLesch', kind: 'sales_channel', public: true },
      owner: { id: encodeId('customers', 1), type: 'Customer' },
    })
  })
})

describe('events', () => {
  it('of an order tell its steps', async () => {
    const order = await draft()
    const { id } = singleOf(await add(core.tokens.admin, order, { sku_code: 'SKU-A', quantity: 1 })).data
    await changeOrder(order, { customer_email: 'new@example.com' })
    await remove(core.tokens.admin, id)
    expect(await eventsOf('orders', order)).toEqual([
      'orders.create',
      'orders.draft',
      'orders.pending',
      'orders.rebuild_shipments',
      'orders.draft',
      'orders.rebuild_shipments',
    ])
    await core.send('DELETE', `/api/orders/${order}`, core.tokens.admin)
    const destroyed = await core.get('/api/events?filter[q][name_eq]=orders.destroy', core.tokens.admin)
    expect(listOf(destroyed).meta.record_count).toBe(1)
  })

  it('of a customer tell that they came, got a password, and changed metadata', async () => {
    await draft({ customer_email: 'new@example.com' })
    const [made] = listOf(
      await core.get('/api/customers?filter[q][email_eq]=new@example.com', core.tokens.admin),
    ).data
    const id = made?.id ?? ''
    await patch('customers', id, { password: 'correct horse', metadata: { vip: true } })
    await patch('customers', id, { password: 'battery staple' })
    expect(await eventsOf('customers', id)).toEqual([
      'customers.create',
      'customers.create_password',
      'customers.metadata_update',
    ])
  })

  it('can be noted on, and sent again although no webhook wants it', async () => {
    await draft()
    const [event] = listOf(await core.get('/api/events', core.tokens.admin)).data
    const id = event?.id ?? ''
    expect((await patch('events', id, { reference: 'seen' })).status).toBe(200)
    expect((await patch('events', id, { _trigger: true })).status).toBe(200)
    const related = await core.get(
      `/api/events/${id}?include=webhooks,last_event_callbacks`,
      core.tokens.admin,
    )
    expect(singleOf(related).data.relationships).toMatchObject({
      webhooks: { data: [] },
      last_event_callbacks: { data: [] },
    })
  })
})

describe('event stores', () => {
  const path = `/api/skus/${SKU}/event_stores`
  const rename = async (count: number) => {
    for (let number = 1; number <= count; number += 1) await patch('skus', SKU, { name: `Shirt ${number}` })
  }
  interface CursorBody {
    readonly data: CollectionBody['data']
    readonly links: { readonly next?: string }
  }
  const read = async (address: string): Promise<CursorBody> => {
    const { status, body, text } = await core.get(address, core.tokens.admin)
    if (status !== 200) throw new Error(text)
    return body as CursorBody
  }

  it('show one record, newest first, page by page without a count', async () => {
    await rename(5)
    const names: unknown[] = []
    let next: string | undefined = `${path}?page[size]=2`
    let pages = 0
    while (next !== undefined) {
      const page: CursorBody = await read(next)
      expect(page).not.toHaveProperty('meta')
      names.push(...page.data.map(({ attributes }) => attributes['payload']))
      next = page.links.next?.replace('http://localhost:8080', '')
      pages += 1
    }
    expect(pages).toBe(3)
    expect(names.slice(0, 2)).toEqual([
      { name: { from: 'Shirt 4', to: 'Shirt 5' } },
      { name: { from: 'Shirt 3', to: 'Shirt 4' } },
    ])
    expect(names).toHaveLength(5)
  })

  it('of the organization are at its own address, with or without its id', async () => {
    for (const address of ['/api/organization/event_stores', '/api/organization/enWoxFMOnp/event_stores']) {
      expect(await read(address)).toEqual({ data: [], links: {} })
    }
    expect((await core.get('/api/organization/oRgOtheRzz/event_stores', core.tokens.admin)).status).toBe(404)
  })

  it('can be named without being shown', async () => {
    await rename(1)
    const { data } = await read(`/api/skus/${SKU}/relationships/event_stores`)
    expect(data).toEqual([{ type: 'event_stores', id: expect.any(String) as unknown }])
  })

  it('can be read one by one, with all that is known of who wrote', async () => {
    await rename(1)
    const { data } = await read(path)
    const single = singleOf(await core.get(`/api/event_stores/${data[0]?.id ?? ''}`, core.tokens.admin))
    expect(single.data.attributes).toMatchObject({
      resource_type: 'skus',
      resource_id: SKU,
      event: 'update',
      who: {
        application: { kind: 'integration', confidential: true, client_id: expect.any(String) as unknown },
      },
    })
  })

  it.each([
    ['page[number]=1', 'PARAM_NOT_ALLOWED'],
    ['sort=id', 'PARAM_NOT_ALLOWED'],
    ['filter[q][id_eq]=x', 'PARAM_NOT_ALLOWED'],
    ['page[size]=26', 'INVALID_PAGE_VALUE'],
    ['page[size]=0', 'INVALID_PAGE_VALUE'],
    ['page[size]=x', 'INVALID_PAGE_VALUE'],
    ['page[after]=nonsense', 'INVALID_PAGE_VALUE'],
  ])('refuse %s', async (query, code) => {
    const response = await core.get(`${path}?${query}`, core.tokens.admin)
    expect([response.status, errorsOf(response).map((error) => error.code)]).toEqual([400, [code]])
  })

  it('are for integrations, of records they may see, and never included', async () => {
    const webapp = await core.tokens.mint({
      application: { id: 'aPPwebwebx', client_id: 'web', kind: 'webapp', public: false, confidential: true },
    })
    expect((await core.get(path, webapp)).status).toBe(401)
    expect((await core.get(path, await core.tokens.mint(salesChannel([1])))).status).toBe(401)
    expect((await core.get(path, core.tokens.otherOrganization)).status).toBe(404)
    expect(
      errorsOf(await core.get(`/api/skus/${SKU}?include=event_stores`, core.tokens.admin)),
    ).toMatchObject([{ code: 'INVALID_INCLUDE' }])
    expect((await core.get('/api/event_stores', core.tokens.admin)).status).toBe(404)
  })
})
