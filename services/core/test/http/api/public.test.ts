/** What everybody may ask without a token, and the dated address of the interface (core-conventions.md 1). */
import { resources } from '../../../src/areas.ts'
import { errorsOf, listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('public')
})
afterAll(() => core.close())

interface Entry {
  readonly id: string
  readonly attributes: {
    readonly name: string
    readonly actions: readonly string[]
    readonly fields: Readonly<Record<string, unknown>>
    readonly relationships: Readonly<Record<string, unknown>>
    readonly filters: readonly string[]
  }
}

const manifest = async (): Promise<readonly Entry[]> => {
  const { status, body } = await core.client.request('GET', '/api/public/resources')
  expect(status).toBe(200)
  return (body as { readonly data: readonly Entry[] }).data
}

describe('GET /api/public/resources', () => {
  it('lists every type that is served, with what may be done', async () => {
    const listed = (await manifest()).map(({ attributes }) => [attributes.name, attributes.actions])
    const served = resources.map(({ type, operations }) => [type, operations])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(served))
    expect(listed).toHaveLength(served.length)
  })

  it('tells fields, relationships and filters as the vendor does', async () => {
    const list = await manifest()
    const item = list.find(({ id }) => id === 'sku_list_item')?.attributes
    expect(item?.fields).toMatchObject({
      id: { type: 'string', creatable: false, fetchable: true, filterable: true, sortable: true },
      sku_code: { type: 'string', creatable: true, updatable: true, fetchable: true, filterable: false },
      created_at: { type: 'string', format: 'datetime', creatable: false },
    })
    expect(item?.relationships).toMatchObject({
      sku_list: { type: 'has_one', class_name: 'SkuList', required: 'required', creatable: true },
      versions: { type: 'has_many', class_name: 'Version', creatable: false, virtual: true },
    })
    expect(item?.filters).toEqual(
      expect.arrayContaining(['ids', 'position', 'created_at_from', 'sku_list_id', 'q']),
    )
    const order = list.find(({ id }) => id === 'order')?.attributes
    expect(order?.fields).toMatchObject({
      _place: { type: 'boolean', trigger: true, updatable: true, fetchable: false },
      number: { prohibited: true },
    })
    expect(order?.relationships['payment_source']).toMatchObject({
      polymorphic: true,
      enum: expect.arrayContaining(['WireTransfer']) as unknown,
    })
  })

  it('may be kept by whoever asked, and is only read', async () => {
    const { headers } = await core.client.request('GET', '/api/public/resources')
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.api+json',
      'cache-control': 'public, max-age=3600',
    })
    const refused = await core.client.request('POST', '/api/public/resources')
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })
})

it.each(['order_rules', 'price_rules'])('GET /api/public/schemas/%s is a JSON Schema', async (name) => {
  const { status, headers, body } = await core.client.request('GET', `/api/public/schemas/${name}`)
  expect([status, headers['content-type']]).toEqual([200, 'application/schema+json'])
  expect(body).toMatchObject({
    type: 'object',
    required: ['rules'],
    properties: { rules: { maxItems: 100 } },
  })
})

it('an unknown public address asks for a token, as any other', async () => {
  expect((await core.client.request('GET', '/api/public/schemas/none')).status).toBe(401)
  expect((await core.get('/api/public/schemas/none', core.tokens.admin)).status).toBe(404)
})

describe('/api/2017-08', () => {
  it('is /api', async () => {
    const dated = await core.get('/api/2017-08/skus?page[size]=2', core.tokens.admin)
    const plain = await core.get('/api/skus?page[size]=2', core.tokens.admin)
    expect([dated.status, dated.body]).toEqual([200, plain.body])
    expect(listOf(dated).data[0]?.links.self).toContain('/api/skus/')
    const found = listOf(plain).data[0]?.id ?? ''
    expect((await core.get(`/api/2017-08/skus/${found}/prices`, core.tokens.admin)).status).toBe(200)
    expect((await core.client.request('GET', '/api/2017-08/public/resources')).status).toBe(200)
  })

  it('takes writes', async () => {
    const document = { data: { type: 'tags', attributes: { name: 'dated' } } }
    expect((await core.send('POST', '/api/2017-08/tags', core.tokens.admin, document)).status).toBe(201)
  })

  it('draws on the budget of the same endpoint', async () => {
    const left = async (path: string): Promise<number> =>
      Number((await core.get(path, core.tokens.admin)).headers['x-ratelimit-remaining'])
    const before = await left('/api/markets')
    expect(await left('/api/2017-08/markets')).toBe(before - 1)
  })

  it.each(['/api/2099-01/skus', '/api/2017-08', '/api/2017-08x/skus'])('%s is no address', async (path) => {
    const missing = await core.get(path, core.tokens.admin)
    expect([missing.status, errorsOf(missing)[0]?.code]).toEqual([404, 'NOT_FOUND'])
  })
})
