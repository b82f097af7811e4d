/** core-conventions.md 8.2 and 9.1: what is refused in a write document, before anything is written. */
import { listen } from '@merx/http/listen'
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, NOW, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { SKUS } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('write_documents')
})
afterAll(() => core.close())

type Body = Readonly<Record<string, unknown>>

const post = (path: string, data: Body) => core.send('POST', path, core.tokens.admin, { data })
const patch = (path: string, data: Body) => core.send('PATCH', path, core.tokens.admin, { data })
const one = (type: string, number: number) => ({ data: { type, id: encodeId(type, number) } })
const sku = encodeId('skus', SKUS.A)

describe('documents', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['nothing', undefined, ['PARAM_MISSING /data']],
    ['no data', {}, ['PARAM_MISSING /data']],
    ['a list', { data: [] }, ['INVALID_DATA_FORMAT /data']],
    ['null', { data: null }, ['INVALID_DATA_FORMAT /data']],
    ['no type and no id', { data: {} }, ['PARAM_MISSING /data/type', 'KEY_ORDER_MISMATCH /data/id']],
    ['another type', { data: { type: 'prices', id: sku } }, ['TYPE_MISMATCH /data/type']],
    ['another id', { data: { type: 'skus', id: 'other' } }, ['KEY_NOT_INCLUDED_IN_URL /data/id']],
    [
      'attributes that are no object',
      { data: { type: 'skus', id: sku, attributes: [] } },
      ['INVALID_DATA_FORMAT /data/attributes'],
    ],
    [
      'unknown, read-only and misplaced members',
      {
        data: {
          type: 'skus',
          id: sku,
          attributes: { nope: 1, created_at: NOW, inventory: {}, prices: [] },
          relationships: { nope: {}, prices: { data: [] }, shipping_category: 'x' },
          extra: 1,
        },
      },
      [
        'PARAM_NOT_ALLOWED /data/extra',
        'PARAM_NOT_ALLOWED /data/attributes/nope',
        'PARAM_NOT_ALLOWED /data/attributes/created_at',
        'PARAM_NOT_ALLOWED /data/attributes/inventory',
        'PARAM_NOT_ALLOWED /data/attributes/prices',
        'PARAM_NOT_ALLOWED /data/relationships/nope',
        'PARAM_NOT_ALLOWED /data/relationships/prices',
        'INVALID_LINKS_OBJECT /data/relationships/shipping_category',
      ],
    ],
    [
      'a link of another type',
      { data: { type: 'skus', id: sku, relationships: { shipping_category: one('prices', 1) } } },
      ['TYPE_MISMATCH /data/relationships/shipping_category/data/type'],
    ],
  ])('%s', async (_name, body, expected) => {
    const response = await core.send('PATCH', `/api/skus/${sku}`, core.tokens.admin, body)
    expect(response.status).toBe(400)
    expect(errorsOf(response).map(({ code, source }) => `${code} ${source?.pointer}`)).toEqual(expected)
  })

  it('refuses an id at creation', async () => {
    const response = await post('/api/customer_groups', {
      type: 'customer_groups',
      id: 'mine',
      attributes: { name: 'x' },
    })
    expect(errorsOf(response)[0]).toMatchObject({
      code: 'PARAM_NOT_ALLOWED',
      source: { pointer: '/data/id' },
    })
  })

  it.each<[string, Body]>([
    ['code', { code: 7 }],
    ['code', { code: 'x'.repeat(256) }],
    ['image_url', { image_url: 'ftp://x' }],
    ['pieces_per_pack', { pieces_per_pack: 1.5 }],
    ['pieces_per_pack', { pieces_per_pack: 0 }],
    ['pieces_per_pack', { pieces_per_pack: 2 ** 40 }],
    ['weight', { weight: '1 kg' }],
    ['unit_of_weight', { unit_of_weight: 'stone' }],
    ['do_not_ship', { do_not_ship: 'yes' }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: { a: 'x'.repeat(70_000) } }],
    ['reference', { reference: {} }],
  ])('refuses a bad %s', async (name, attributes) => {
    const response = await patch(`/api/skus/${sku}`, { type: 'skus', id: sku, attributes })
    expect(response.status).toBe(422)
    expect(errorsOf(response).map(({ source }) => source?.pointer)).toEqual([`/data/attributes/${name}`])
  })

  it.each([
    ['customers', 'password'],
    ['orders', 'customer_password'],
  ])('sends no password of %s back', async (type, name) => {
    const response = await post(`/api/${type}`, { type, attributes: { [name]: 'pass1' } })
    const reported = errorsOf(response).find(({ source }) => source?.pointer === `/data/attributes/${name}`)
    expect(reported).toMatchObject({ meta: { error: 'too_short', count: 6 } })
    expect(response.text).not.toContain('pass1')
  })
})

it('refuses a document that is not valid UTF-8 with 400, and stores nothing of it', async () => {
  const server = await listen(core.app, { host: '127.0.0.1', port: 0 })
  const text = `{"data":{"type":"skus","attributes":{"code":"LATIN","name":"M\u00fcller"}}}`
  const response = await fetch(`${server.url}/api/skus`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${core.tokens.admin}`,
      Accept: 'application/vnd.api+json',
      'Content-Type': 'application/vnd.api+json',
    },
    body: Buffer.from(text, 'latin1'),
  })
  const body: unknown = await response.json()
  await server.close()
  expect([response.status, body]).toMatchObject([
    400,
    { errors: [{ code: 'BAD_REQUEST', detail: 'The body is not valid UTF-8.' }] },
  ])
})
