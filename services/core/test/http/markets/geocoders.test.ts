/** Accounts at geocoders: their keys are sealed, markets and addresses name them, and nothing is called. */
import { decodeId, encodeId, TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createSecretBox } from '../../../src/engine/secret-box.ts'
import { listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('geocoders')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const KEYS = [
  ['google_geocoders', 'api_key'],
  ['bing_geocoders', 'key'],
] as const

const create = (type: string, attributes: Body) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes } })

const set = (type: string, id: string, attributes: Body, relationships: Body = {}) =>
  core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, {
    data: { type, id, attributes, relationships },
  })

const { open } = createSecretBox(TEST_ID_SECRET)

const keyIn = async (id: string, name: string): Promise<unknown> => {
  const { rows } = await core.pool.query<Body>('SELECT * FROM geocoders WHERE id = $1', [
    decodeId('geocoders', id),
  ])
  return open(rows[0]?.[`sealed_${name}`])
}

const MARKET = encodeId('markets', 1)
const ADDRESS = encodeId('addresses', 1)

describe.each(KEYS)('%s', (type, name) => {
  it('keeps its key sealed and shows it to nobody', async () => {
    const { data } = singleOf(await create(type, { name: 'Ours', [name]: 'hush-1' }))
    const read = attributesOf(await core.get(`/api/${type}/${data.id}`, core.tokens.admin))
    expect([data.attributes['name'], read['name']]).toEqual(['Ours', 'Ours'])
    for (const shown of [data.attributes, read]) expect(shown).not.toHaveProperty(name)
    expect(await keyIn(data.id, name)).toBe('hush-1')
    const { rows } = await core.pool.query<{ text: string }>(
      'SELECT geocoders::text AS text FROM geocoders UNION ALL SELECT versions::text FROM versions',
    )
    expect(rows.map(({ text }) => text).join()).not.toContain('hush')
    expect((await set(type, data.id, { [name]: 'hush-2' })).status).toBe(200)
    expect(await keyIn(data.id, name)).toBe('hush-2')
    expect(at(await create(type, { name: 'Ours' }))).toEqual([['422', `/data/attributes/${name}`, 'blank']])
  })

  it('is that of markets, which keep it, and of addresses, which lose it with it', async () => {
    const { id } = singleOf(await create(type, { name: 'Ours', [name]: 'hush-1' })).data
    const geocoder = linkTo(type, id)
    expect((await set('markets', MARKET, {}, { geocoder })).status).toBe(200)
    expect((await set('addresses', ADDRESS, {}, { geocoder })).status).toBe(200)
    for (const [of, owner] of [
      ['markets', MARKET],
      ['addresses', ADDRESS],
    ] as const) {
      const { included } = singleOf(await core.get(`/api/${of}/${owner}?include=geocoder`, core.tokens.admin))
      expect(included?.map((each) => [each.type, each.id])).toEqual([[type, id]])
      const listed = listOf(await core.get(`/api/geocoders/${id}/${of}`, core.tokens.admin)).data
      expect(listed.map((each) => each.id)).toEqual([owner])
    }
    const remove = () => core.send('DELETE', `/api/${type}/${id}`, core.tokens.admin)
    expect((await remove()).status).toBe(423)
    expect((await set('markets', MARKET, {}, { geocoder: { data: null } })).status).toBe(200)
    expect((await remove()).status).toBe(204)
    const address = singleOf(await core.get(`/api/addresses/${ADDRESS}?include=geocoder`, core.tokens.admin))
    expect(address.data.relationships?.['geocoder']?.data).toBeNull()
    expect(address.data.attributes).toMatchObject({ is_geocoded: false, provider_name: null })
  })

  it('is read by shop fronts without its key', async () => {
    const { id } = singleOf(await create(type, { name: 'Ours', [name]: 'hush-1' })).data
    const token = await core.tokens.mint(salesChannel([1]))
    const response = await core.get(`/api/geocoders/${id}`, token)
    expect(response.status).toBe(200)
    expect(JSON.stringify(response.body)).not.toContain('hush')
  })
})
