/** Pictures of the demo's articles: served by core itself, to everybody, for good. */
import { errorsOf, listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

let core: TestCore

const PICTURE = '/api/pictures/TSHIRTMM000000E63946XLXX.svg'

beforeAll(async () => {
  core = await openCore('pictures')
  await core.pool.query('UPDATE skus SET image_url = $1 WHERE environment_id = 1 AND id = 1', [PICTURE])
})
afterAll(() => core.close())

test('a SKU names its picture with the address of the request, and the picture needs no token', async () => {
  const [sku] = listOf(await core.get('/api/skus?filter%5Bcode%5D=SKU-A', core.tokens.admin)).data
  const url = new URL(String(sku?.attributes['image_url']))
  expect(url.pathname).toBe(PICTURE)
  expect(new URL(sku?.links.self ?? '').origin).toBe(url.origin)
  const { status, text, headers } = await core.client.request('GET', url.pathname, {})
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(text).toMatch(/^<svg .*fill="#000000".*fill="#E63946".*<\/svg>$/)
})

test('HEAD has the headers alone', async () => {
  const { status, text, headers } = await core.client.request('HEAD', PICTURE, {})
  expect([status, text, Number(headers['content-length']) > 300]).toEqual([200, '', true])
})

test.each(['TSHIRTMM000000E63946XLXX', 'x.svg', 'TSHIRTMM000000E6394GXLXX.svg', '%3Cscript%3E.svg', '.svg'])(
  '%s is no picture',
  async (file) => {
    const response = await core.client.request('GET', `/api/pictures/${file}`, {})
    expect([response.status, errorsOf(response)[0]?.code]).toEqual([404, 'NOT_FOUND'])
  },
)
