/** Cached responses are never sent after a change of what they are made of, nor to a caller who sees something else. */
import { eventually } from '@merx/testing/eventually'
import {
  customer,
  listOf,
  marketClaim,
  MEDIA_TYPE,
  openCore,
  pluck,
  salesChannel,
  storeClaim,
} from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

const PATH = '/api/skus?page[size]=25'

let core: TestCore
let eu: string

beforeAll(async () => {
  core = await openCore('response_cache')
  eu = await core.tokens.mint(salesChannel([1]))
})
afterAll(() => core.close())
beforeEach(() => reseedShop(core.pool))

const codes = async (token = eu, path = PATH): Promise<readonly unknown[]> => {
  const response = await core.get(path, token)
  if (response.status !== 200) return [response.status]
  const body = listOf(response)
  expect(body.meta.record_count).toBe(body.data.length)
  return pluck(body, 'code')
}

const [A, B, C, D] = ['SKU-A', 'SKU-B', 'SKU-C', 'SKU-D']

const CHANGES: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['a price is deleted', 'DELETE FROM prices WHERE environment_id = 1 AND sku_id = 1', [B, D]],
  [
    'a price moves to another list',
    `UPDATE prices SET price_list_id = 2, currency_code = 'USD' WHERE environment_id = 1 AND sku_id = 1`,
    [B, D],
  ],
  ['a stock item is deleted', 'DELETE FROM stock_items WHERE environment_id = 1 AND sku_id = 4', [A, B]],
  [
    'a stock item is added',
    `INSERT INTO stock_items (environment_id, sku_id, sku_code, quantity, stock_location_id) VALUES (1, 3, 'SKU-C', 0, 1)`,
    [A, B, C, D],
  ],
  ['a SKU is renamed', `UPDATE skus SET code = 'SKU-Z' WHERE environment_id = 1 AND id = 1`, ['SKU-Z', B, D]],
  [
    'a SKU is deleted',
    'DELETE FROM line_items WHERE environment_id = 1; DELETE FROM skus WHERE environment_id = 1 AND id = 4',
    [A, B],
  ],
  [
    'the market gets another list',
    'UPDATE markets SET price_list_id = 2 WHERE environment_id = 1 AND id = 1',
    [B, 'SKU-F'],
  ],
  [
    'the market is disabled',
    'UPDATE markets SET disabled_at = now() WHERE environment_id = 1 AND id = 1',
    [],
  ],
  [
    'the market gets another inventory model',
    'UPDATE markets SET inventory_model_id = 2 WHERE environment_id = 1 AND id = 1',
    [B],
  ],
  [
    'a location is taken out of the model',
    'DELETE FROM inventory_stock_locations WHERE environment_id = 1 AND inventory_model_id = 1 AND stock_location_id = 1',
    [B],
  ],
  [
    'a location is added to the model',
    'INSERT INTO inventory_stock_locations (environment_id, priority, inventory_model_id, stock_location_id) VALUES (1, 3, 1, 3)',
    [A, B, C, D],
  ],
  [
    'prices of the market come from outside',
    `UPDATE markets SET external_prices_url = 'https://prices.example.com' WHERE environment_id = 1 AND id = 1`,
    [A, B, D, 'SKU-E', 'SKU-F'],
  ],
  ['nothing but another environment changes', 'DELETE FROM prices WHERE environment_id = 3', [A, B, D]],
]

describe('a cached page', () => {
  it.each(CHANGES)('is what it is now when %s', async (_title, statement, expected) => {
    expect(await codes()).toEqual([A, B, D])
    expect(await codes()).toEqual([A, B, D])
    await core.pool.query(statement)
    expect(await codes()).toEqual(expected)
    expect(await codes()).toEqual(expected)
  })

  it('is what it is now when the store in scope changes its location', async () => {
    const token = await core.tokens.mint(salesChannel([1], { store: storeClaim(2) }))
    expect(await codes(token)).toEqual([A, B, D])
    await core.pool.query('UPDATE stores SET stock_location_id = 3 WHERE environment_id = 1 AND id = 2')
    expect(await codes(token)).toEqual([A, B, C, D])
  })

  it('shows every write through the API to the next request', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [sku] = listOf(await core.get(PATH, eu)).data
      const document = { data: { type: 'skus', id: sku?.id, attributes: { name: `Round ${round}` } } }
      await core.send('PATCH', `/api/skus/${sku?.id ?? ''}`, core.tokens.admin, document)
      expect(pluck(listOf(await core.get(PATH, eu)), 'name')[0]).toBe(`Round ${round}`)
    }
  })

  it('shows each of many concurrent readers at least what was committed before it asked', async () => {
    let committed = 0
    await core.pool.query(`UPDATE skus SET name = 'Name 0' WHERE environment_id = 1 AND id = 1`)
    const readers = Array.from({ length: 8 }, async () => {
      for (let count = 0; count < 25; count += 1) {
        const before = committed
        const [name] = pluck(listOf(await core.get(PATH, eu)), 'name')
        expect(Number(String(name).split(' ')[1] ?? 0)).toBeGreaterThanOrEqual(before)
      }
    })
    const writer = async (): Promise<void> => {
      for (let count = 1; count <= 60; count += 1) {
        await core.pool.query(
          `UPDATE skus SET name = 'Name ' || $1::text WHERE environment_id = 1 AND id = 1`,
          [count],
        )
        committed = count
      }
    }
    await Promise.all([...readers, writer()])
  })

  it('is not given to another market, another query, another address or another claim', async () => {
    await codes()
    expect(await codes(await core.tokens.mint(salesChannel([2])))).toEqual([B])
    expect(await codes(eu, '/api/skus?sort=-id')).toEqual([D, B, A])
    const claimed = await core.tokens.mint(salesChannel([1], { custom_claim: { tier: 'gold' } }))
    const [sku] = listOf(await core.get(PATH, claimed)).data
    expect(sku?.attributes['jwt_custom_claim']).toEqual({ tier: 'gold' })
    const [plain] = listOf(await core.get(PATH, eu)).data
    expect(plain?.attributes['jwt_custom_claim']).toBeNull()
  })

  it('is not given to another organization, the other mode, or a customer whose orders differ', async () => {
    const own = listOf(await core.get(PATH, eu))
    const organization = { id: 'oRgOtheRzz', slug: 'the-red-brand', enterprise: true, region: 'eu-west-1' }
    for (const claims of [{ organization }, { test: false }]) {
      const other = await core.get(PATH, await core.tokens.mint(salesChannel([1], claims)))
      const ids = other.status === 200 ? listOf(other).data.map(({ id }) => id) : []
      expect(ids.filter((id) => own.data.some((each) => each.id === id))).toEqual([])
    }
    const live = await core.tokens.mint(salesChannel([3], { test: false }))
    for (let round = 0; round < 2; round += 1) {
      for (const { meta } of listOf(await core.get(PATH, eu)).data)
        expect(meta).toMatchObject({ mode: 'test' })
      const answer = await core.get(PATH, live)
      if (answer.status === 200)
        for (const { meta } of listOf(answer).data) expect(meta).toMatchObject({ mode: 'live' })
    }
    expect(await codes(await core.tokens.mint(customer(1, [1])))).toEqual([A, B, D])
  })

  it('is not given once its token is revoked, expired, or of no use for the type', async () => {
    const tokenId = '6f1c2d3e-0000-4000-8000-00000000abcd'
    const token = await core.tokens.mint(salesChannel([1], { jti: tokenId }))
    expect(await codes(token)).toEqual([A, B, D])
    core.revoked.add(tokenId)
    expect((await core.get(PATH, token)).status).toBe(401)
    expect(await codes(eu)).toEqual([A, B, D])
    core.revoked.delete(tokenId)
    expect(await codes(token)).toEqual([A, B, D])
  })

  it('goes by the role its caller has now', async () => {
    const role = { id: 'rLwiThRoLe', kind: 'custom' }
    const claims = { market: marketClaim([1]), scope: 'market:id:any', role }
    const token = await core.tokens.mint(claims)
    const read = { subject: 'skus', actions: ['read'] as const }
    core.roles.set(role.id, { kind: 'custom', permissions: [read] })
    expect(await codes(token)).toEqual([A, B, D])
    const rows = { read: { code_eq: 'SKU-B' } }
    core.roles.set(role.id, { kind: 'custom', permissions: [{ ...read, restrictions: { rows } }] })
    expect(await codes(token)).toEqual([B])
    core.roles.set(role.id, { kind: 'custom', permissions: [] })
    expect(await codes(token)).toEqual([401])
  })

  it('is written for the media type that was asked for, or not at all', async () => {
    await codes()
    expect((await core.get(PATH, eu, { Accept: 'application/json' })).status).toBe(406)
    expect((await core.get(PATH, eu, { Accept: '*/*' })).headers['content-type']).toBe(MEDIA_TYPE)
  })

  it('links to the host of the request when it is one of ours, and to no other', async () => {
    const other = await openCore('response_cache_hosts', {}, { PUBLIC_BASE_URL: '' })
    try {
      const token = await other.tokens.mint(salesChannel([1]))
      const own = 'https://the-blue-brand.merx.localhost'
      for (const [host, origin] of [
        ['localhost:8080', 'http://localhost:8080'],
        ['the-blue-brand.merx.localhost:8443', 'http://the-blue-brand.merx.localhost:8443'],
        ['evil.example', own],
        ['localhost:8080', 'http://localhost:8080'],
      ] as const) {
        const { links, data } = listOf(await other.get(PATH, token, { Host: host }))
        expect(links['first']).toMatch(`${origin}/api/skus?`)
        expect(data[0]?.links.self).toMatch(`${origin}/api/skus/`)
      }
    } finally {
      await other.close()
    }
  })

  it('is the same document as the one before it', async () => {
    const [one, other] = [await core.get(PATH, eu), await core.get(PATH, eu)]
    expect(other.body).toEqual(one.body)
    expect(other.headers['content-type']).toBe(one.headers['content-type'])
    expect(other.headers['content-length']).toBe(one.headers['content-length'])
  })

  it('is right when the log of changes was forgotten', async () => {
    await codes()
    const { rows } = await core.pool.query<{ count: number }>(
      'SELECT count(*) AS count FROM kept.catalogue_changes WHERE environment_id = 1',
    )
    expect(rows[0]?.count).toBeGreaterThan(0)
    // a transaction anywhere in the server, another test's too, keeps what came after it began
    const noted = async () => (await core.pool.query('SELECT FROM kept.catalogue_changes')).rowCount
    await eventually(async () => {
      await core.pool.query('SELECT kept.forget_catalogue_changes()')
      return (await noted()) === 0
    })
    expect(await noted()).toBe(0)
    expect(await codes()).toEqual([A, B, D])
  })
})
