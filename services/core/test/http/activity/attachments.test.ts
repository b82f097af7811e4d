/** Attachments: links to files on records of many types; they go with the record, and are seen with it. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, marketClaim, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('attachments')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const FILE = { name: 'Manual', description: 'How to wear it', url: 'https://files.example/manual.pdf' }

const attach = (attachable: Body, attributes: Body = FILE, token = core.tokens.admin) =>
  core.send('POST', '/api/attachments?include=attachable', token, {
    data: { type: 'attachments', attributes, relationships: { attachable } },
  })

const ATTACHABLE = [
  'customer_groups',
  'customers',
  'inventory_models',
  'markets',
  'merchants',
  'orders',
  'payment_methods',
  'price_lists',
  'prices',
  'shipping_categories',
  'skus',
  'stock_items',
  'stock_locations',
]

describe.each(ATTACHABLE)('attachments of %s', (type) => {
  it('are made, seen from the record, and found by name', async () => {
    const response = await attach(one(type, 1))
    expect(response.status).toBe(201)
    expect(singleOf(response).data).toMatchObject({
      attributes: FILE,
      relationships: { attachable: one(type, 1) },
    })
    const id = encodeId(type, 1)
    const list = listOf(await core.get(`/api/${type}/${id}/attachments`, core.tokens.admin))
    expect(list.data.map((attachment) => attachment.id)).toEqual([singleOf(response).data.id])
    const found = listOf(
      await core.get(`/api/${type}?filter[q][attachments_name_eq]=Manual`, core.tokens.admin),
    )
    expect(found.data.map((record) => record.id)).toEqual([id])
  })
})

describe('an attachment', () => {
  it('is changed, moved and deleted', async () => {
    const { id } = singleOf(await attach(one('skus', 1))).data
    const response = await core.send(
      'PATCH',
      `/api/attachments/${id}?include=attachable`,
      core.tokens.admin,
      {
        data: {
          type: 'attachments',
          id,
          attributes: { name: 'Guide' },
          relationships: { attachable: one('orders', 1) },
        },
      },
    )
    expect(singleOf(response).data).toMatchObject({
      attributes: { name: 'Guide', url: FILE.url },
      relationships: { attachable: one('orders', 1) },
    })
    expect((await core.send('DELETE', `/api/attachments/${id}`, core.tokens.admin)).status).toBe(204)
    expect((await core.get(`/api/attachments/${id}`, core.tokens.admin)).status).toBe(404)
  })

  it('goes when its record goes', async () => {
    const { id } = singleOf(await attach(one('skus', 5))).data
    expect((await core.send('DELETE', `/api/skus/${encodeId('skus', 5)}`, core.tokens.admin)).status).toBe(
      204,
    )
    expect((await core.get(`/api/attachments/${id}`, core.tokens.admin)).status).toBe(404)
  })

  it.each<[string, Body, Body, readonly unknown[]]>([
    ['no name', one('skus', 1), { url: FILE.url }, ['/data/attributes/name', 'blank']],
    [
      'an address that is none',
      one('skus', 1),
      { name: 'x', url: 'file:///etc/passwd' },
      ['/data/attributes/url', 'invalid'],
    ],
    ['no record', { data: null }, FILE, ['/data/relationships/attachable', 'blank']],
    ['an unknown record', linkTo('skus', 'xxxxxxxxxx'), FILE, ['/data/relationships/attachable', 'noent']],
    [
      'a record of another organization',
      one('skus', 1001),
      FILE,
      ['/data/relationships/attachable', 'noent'],
    ],
  ])('refuses %s', async (_name, attachable, attributes, expected) => {
    expect(at(await attach(attachable, attributes))).toEqual([['422', ...expected]])
  })

  it('refuses a type nothing is attached to', async () => {
    expect(errorsOf(await attach(one('addresses', 1)))).toMatchObject([{ code: 'TYPE_MISMATCH' }])
  })

  it('belongs to its organization and mode', async () => {
    const { id } = singleOf(await attach(one('skus', 1))).data
    for (const token of [core.tokens.live, core.tokens.otherOrganization]) {
      expect((await core.get(`/api/attachments/${id}`, token)).status).toBe(404)
      expect(listOf(await core.get('/api/attachments', token)).meta.record_count).toBe(0)
    }
  })

  it('is nothing for sales channels, and for a scoped role only what hangs on a record in scope', async () => {
    const seen = singleOf(await attach(one('orders', 1))).data.id
    const hidden = singleOf(await attach(one('orders', 4))).data.id
    const ofNoMarket = singleOf(await attach(one('merchants', 1))).data.id
    const guest = await core.tokens.mint(salesChannel([1]))
    expect((await core.get(`/api/attachments/${seen}`, guest)).status).toBe(401)
    core.roles.set('rScopedRol', {
      kind: 'custom',
      permissions: [{ subject: 'attachments', actions: ['read'] }],
    })
    const scoped = await core.tokens.mint({
      role: { id: 'rScopedRol', kind: 'custom' },
      market: marketClaim([1]),
      scope: 'market:id:whatever',
    })
    const list = listOf(await core.get('/api/attachments', scoped))
    expect(list.data.map(({ id }) => id)).toEqual([seen, ofNoMarket])
    expect((await core.get(`/api/attachments/${hidden}`, scoped)).status).toBe(404)
  })
})
