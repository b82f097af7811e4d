/** docs/reference/conditional-requests.md: a resource that did not change is not sent again, one that did is not overwritten. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop, SKUS } from '../../support/seed-shop.ts'
import { keyedCalls, patchBody, SKU_PATH, skuBody } from '../support/keyed-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('entity_tags')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { count } = keyedCalls(() => core)

type Headers = Readonly<Record<string, string>>

const get = (path: string, headers: Headers = {}) => core.get(path, core.tokens.admin, headers)
const tagOf = async (path = SKU_PATH): Promise<string> => (await get(path)).headers['etag'] ?? ''
const patch = (name: string, headers: Headers) =>
  core.send('PATCH', SKU_PATH, core.tokens.admin, patchBody({ name }), headers)

const refusedBy = (answer: Awaited<ReturnType<typeof patch>>) => {
  const [error] = errorsOf(answer)
  return [answer.status, error?.code, error?.source?.['header']]
}

it.each(['', '?include=shipping_category,prices', '?fields[skus]=name'])(
  'answers 304 without a body until something that is shown changes (%s)',
  async (query) => {
    const path = `${SKU_PATH}${query}`
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"\d+-[\w-]{22}"$/)
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const same = await get(path, { 'If-None-Match': sent })
      expect([same.status, same.text, same.headers['etag']]).toEqual([304, '', tag])
    }
    await patch('Changed', {})
    expect((await get(path, { 'If-None-Match': tag })).status).toBe(200)
  },
)

it('has another tag when an included resource changes, or other fields are shown', async () => {
  const path = `${SKU_PATH}?include=shipping_category`
  const tag = await tagOf(path)
  await core.pool.query(`UPDATE shipping_categories SET name = 'Later'`)
  expect((await get(path, { 'If-None-Match': tag })).status).toBe(200)
  expect(new Set([await tagOf(path), await tagOf(), await tagOf(`${SKU_PATH}?fields[skus]=name`)]).size).toBe(
    3,
  )
})

it.each([
  ['a row that stands alone', {}],
  ['a row in a transaction', { _add_tags: 'sale' }],
])('changes what is as it was read, and nothing else: %s', async (_name, more) => {
  const tag = await tagOf(`${SKU_PATH}?include=prices`)
  const send = (name: string, headers: Headers) =>
    core.send('PATCH', SKU_PATH, core.tokens.admin, patchBody({ name, ...more }), headers)
  expect((await send('First', { 'If-Match': tag })).status).toBe(200)
  const versions = await count('versions')
  expect(refusedBy(await send('Second', { 'If-Match': tag }))).toEqual([
    412,
    'PRECONDITION_FAILED',
    'If-Match',
  ])
  expect(refusedBy(await send('Second', { 'If-Match': `W/${await tagOf()}` }))[0]).toBe(412)
  expect(refusedBy(await send('Second', { 'If-None-Match': '*' }))[0]).toBe(412)
  expect(await count('versions')).toBe(versions)
  expect((await send('Third', { 'If-Match': `"0-old", ${await tagOf()}` })).status).toBe(200)
  expect((await send('Fourth', { 'If-Match': '*' })).status).toBe(200)
})

it('lets one of many writers with the same tag through', async () => {
  const tag = await tagOf()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => patch(`N${at}`, { 'If-Match': tag })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array<number>(9).fill(412),
  ])
})

it('deletes what is as it was read', async () => {
  const created = await core.send('POST', '/api/skus', core.tokens.admin, skuBody('GONE'))
  const path = new URL(created.headers['location'] ?? '').pathname
  const tag = await tagOf(path)
  const id = path.split('/').at(-1)
  await core.send('PATCH', path, core.tokens.admin, { data: { type: 'skus', id, attributes: { name: 'x' } } })
  const remove = (header: string) =>
    core.send('DELETE', path, core.tokens.admin, undefined, { 'If-Match': header })
  expect(refusedBy(await remove(tag))).toEqual([412, 'PRECONDITION_FAILED', 'If-Match'])
  expect((await remove(await tagOf(path))).status).toBe(204)
})

it('gives a repeated request its stored answer, although its tag is stale by then', async () => {
  const headers = { 'If-Match': await tagOf(), 'Idempotency-Key': 'tagged' }
  const first = await patch('Once', headers)
  const again = await patch('Once', headers)
  expect([again.status, again.text]).toEqual([200, first.text])
})

it.each(['abc', '"open', '"a" "b"', '', 'W/*', '"a",'])(
  'refuses %p, which is no list of tags',
  async (sent) => {
    expect(refusedBy(await patch('x', { 'If-Match': sent }))).toEqual([
      400,
      'ENTITY_TAG_NOT_VALID',
      'If-Match',
    ])
    expect(refusedBy(await get(SKU_PATH, { 'If-None-Match': sent }))[1]).toBe('ENTITY_TAG_NOT_VALID')
  },
)

it('says nothing of a resource that is not there', async () => {
  expect((await get(`/api/skus/${encodeId('skus', SKUS.A + 1_000)}`, { 'If-Match': '*' })).status).toBe(404)
})
