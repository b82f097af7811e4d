/** PATCH, POST and DELETE of …/relationships/<name> (JSON:API 1.1, updating relationships). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop, SKUS } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('linkage_writes')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const SKU = encodeId('skus', 1)
const TAGS = `/api/skus/${SKU}/relationships/tags`
const PRICE = `/api/prices/${encodeId('prices', 1)}/relationships`

const write = (method: string, path: string, data: unknown, token = core.tokens.admin) =>
  core.send(method, path, token, { data })

const madeTag = async (name: string) => {
  const document = { data: { type: 'tags', attributes: { name } } }
  const { id } = singleOf(await core.send('POST', '/api/tags', core.tokens.admin, document)).data
  return { type: 'tags', id }
}

const linkage = async (path: string): Promise<unknown> =>
  ((await core.get(path, core.tokens.admin)).body as { readonly data: unknown }).data

describe('a set', () => {
  it('is added to, removed from and replaced', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(madeTag))
    const steps = [
      ['POST', [a, b], [a, b]],
      ['POST', [b, c], [a, b, c]],
      ['POST', [], [a, b, c]],
      ['DELETE', [b], [a, c]],
      ['DELETE', [b], [a, c]],
      ['PATCH', [b], [b]],
      ['PATCH', [], []],
    ] as const
    for (const [method, sent, expected] of steps) {
      const answer = await write(method, TAGS, sent)
      expect([answer.status, answer.text]).toEqual([204, ''])
      const found = (await linkage(TAGS)) as readonly unknown[]
      expect(found).toHaveLength(expected.length)
      expect(found).toEqual(expect.arrayContaining([...expected]))
    }
  })

  it('loses nothing when many add to it at once', async () => {
    const tags = await Promise.all(Array.from({ length: 8 }, (_, at) => madeTag(`tag${at}`)))
    const answers = await Promise.all(tags.map((tag) => write('POST', TAGS, [tag])))
    expect(answers.map(({ status }) => status)).toEqual(tags.map(() => 204))
    expect(await linkage(TAGS)).toHaveLength(8)
  })
})

it('one resource is set', async () => {
  const other = { type: 'skus', id: encodeId('skus', SKUS.E) }
  expect((await write('PATCH', `${PRICE}/sku`, other)).status).toBe(204)
  expect(await linkage(`${PRICE}/sku`)).toEqual(other)
})

describe('refuses', () => {
  it.each<[string, string, string, unknown, readonly [number, string, string]]>([
    [
      'an unknown resource',
      'POST',
      TAGS,
      [{ type: 'tags', id: 'xxxxxxxxxx' }],
      [422, 'VALIDATION_ERROR', '/data'],
    ],
    ['another type', 'POST', TAGS, [{ type: 'skus', id: SKU }], [400, 'TYPE_MISMATCH', '/data/0/type']],
    ['one for many', 'PATCH', TAGS, { type: 'tags', id: SKU }, [400, 'INVALID_LINKS_OBJECT', '/data']],
    ['many for one', 'PATCH', `${PRICE}/sku`, [], [400, 'INVALID_LINKS_OBJECT', '/data']],
    ['no id', 'DELETE', TAGS, [{ type: 'tags' }], [400, 'INVALID_LINKS_OBJECT', '/data/0']],
    ['nothing where one is needed', 'PATCH', `${PRICE}/price_list`, null, [422, 'VALIDATION_ERROR', '/data']],
    [
      'a record that is not there',
      'PATCH',
      '/api/skus/xxxxxxxxxx/relationships/tags',
      [],
      [404, 'RECORD_NOT_FOUND', ''],
    ],
  ])('%s', async (_name, method, path, data, [status, code, pointer]) => {
    const refused = await write(method, path, data)
    const [error] = errorsOf(refused)
    expect([refused.status, error?.code, error?.source?.pointer ?? '']).toEqual([status, code, pointer])
  })

  it('a body without data, and parameters', async () => {
    const empty = await core.send('PATCH', TAGS, core.tokens.admin, {})
    expect([empty.status, errorsOf(empty)[0]?.source?.pointer]).toEqual([400, '/data'])
    const asked = await write('PATCH', `${TAGS}?include=prices`, [])
    expect([asked.status, errorsOf(asked)[0]?.source?.parameter]).toEqual([400, 'include'])
  })

  it('callers who may not update the resource, or not this relationship of it', async () => {
    const channel = await core.tokens.mint(salesChannel([1]))
    for (const token of [core.tokens.readOnly, channel])
      expect((await write('PATCH', TAGS, [], token)).status).toBe(401)
    expect((await write('PATCH', TAGS, [], core.tokens.otherOrganization)).status).toBe(404)
  })

  it.each([
    [`/api/skus/${SKU}/relationships/prices`, 'POST', 'GET, HEAD'],
    [`${PRICE}/sku`, 'POST', 'GET, PATCH, HEAD'],
    [`${PRICE}/sku`, 'DELETE', 'GET, PATCH, HEAD'],
  ])('%s by %s', async (path, method, allow) => {
    const refused = await write(method, path, [])
    expect([refused.status, refused.headers['allow']]).toEqual([405, allow])
  })
})

it('asks for the version that If-Match names', async () => {
  const tag = await madeTag('versioned')
  const stale = await core.send('POST', TAGS, core.tokens.admin, { data: [tag] }, { 'If-Match': '"none"' })
  expect(stale.status).toBe(412)
  expect(await linkage(TAGS)).toEqual([])
})
