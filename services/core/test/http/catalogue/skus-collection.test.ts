import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, pluck, salesChannel } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { SKUS } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('skus_collection')
})
afterAll(() => core.close())

describe('GET /api/skus', () => {
  it('answers with the envelope, the media type and the rate limit headers', async () => {
    const response = await core.get('/api/skus', core.tokens.admin)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('application/vnd.api+json')
    expect(Number(response.headers['x-ratelimit-limit'])).toBeGreaterThan(0)
    const body = listOf(response)
    expect(Object.keys(body)).toEqual(['data', 'meta', 'links'])
    expect(body.meta).toEqual({ record_count: 6, page_count: 1 })
    expect(pluck(body, 'code')).toEqual(['SKU-A', 'SKU-B', 'SKU-C', 'SKU-D', 'SKU-E', 'SKU-F'])
  })

  it('renders a resource object with its keys in order', async () => {
    const [sku] = listOf(await core.get('/api/skus', core.tokens.admin)).data
    const id = encodeId('skus', SKUS.A)
    expect(Object.keys(sku ?? {})).toEqual(['id', 'type', 'links', 'attributes', 'relationships', 'meta'])
    expect(sku).toMatchObject({
      id,
      type: 'skus',
      links: { self: `http://localhost:8080/api/skus/${id}` },
      meta: { mode: 'test', organization_id: 'enWoxFMOnp' },
    })
    expect(sku?.attributes).toMatchObject({
      code: 'SKU-A',
      weight: 300.5,
      created_at: '2026-01-01T00:00:00.000Z',
      reference: 'ref-1',
      metadata: { season: { year: 2026 }, tags: ['a', 'b'] },
    })
    expect(sku?.attributes).not.toHaveProperty('inventory')
    expect(sku?.relationships?.['prices']).toEqual({
      links: {
        self: `http://localhost:8080/api/skus/${id}/relationships/prices`,
        related: `http://localhost:8080/api/skus/${id}/prices`,
      },
    })
  })

  it('shows a sales channel what is sellable in its market', async () => {
    const token = await core.tokens.mint(salesChannel([1]))
    expect(pluck(listOf(await core.get('/api/skus', token)), 'code')).toEqual(['SKU-A', 'SKU-B', 'SKU-D'])
  })
})
