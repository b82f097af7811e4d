/** docs/reference/conditional-requests.md holds for every type that is read one by one, and for each kind of answer. */
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../../src/areas.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { fillTables } from '../../support/fill-tables.ts'
import { errorsOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { permission, tokenWith } from '../support/restricted-role.ts'

const registry = createRegistry(areas, { ids: testIds })
const served = registry.definitions.filter(
  ({ isSingleton, operations }) => !isSingleton && operations.includes('retrieve'),
)
const cases = served.map((definition) => [definition.type, definition] as const)

/** What fillTables makes of them breaks rules of their own. */
const REFUSED_BY_RULES = new Set(['stock_line_items', 'stock_transfers'])

let core: TestCore
beforeAll(async () => {
  core = await openCore('entity_tags_of_types')
  await fillTables(core.pool, registry.definitions)
})
afterAll(() => core.close())

type Headers = Readonly<Record<string, string>>
const get = (path: string, headers: Headers = {}) => core.get(path, core.tokens.admin, headers)

interface Found {
  readonly number: number
  readonly id: string
  readonly path: string
}

const find = async (definition: ResourceDefinition): Promise<Found> => {
  const { table, type, path, memberOf } = definition
  const column = memberOf === undefined ? undefined : registry.require(memberOf).abstract?.typeColumn
  const isOfType = column === undefined ? 'true' : `${column} = '${type}'`
  const { rows } = await core.pool.query<{ id: number | null }>(
    `SELECT max(id) AS id FROM ${table} WHERE environment_id = 1 AND ${isOfType}`,
  )
  const number = rows[0]?.id ?? undefined
  if (number === undefined) throw new Error(`${type} has no row`)
  const id = encodeId(idTypeOf(definition), number)
  return { number, id, path: `/api/${path}/${id}` }
}

const tagOf = async (path: string): Promise<string> => (await get(path)).headers['etag'] ?? ''

/** Another version of the row, with nothing that is shown in another way. */
const touch = (table: string, number: number) =>
  core.pool.query(`UPDATE ${table} SET updated_at = updated_at WHERE environment_id = 1 AND id = $1`, [
    number,
  ])

describe.each(cases)('%s', (type, definition) => {
  const { operations, table } = definition

  it('has a strong tag of its version, which 304 answers in every form', async () => {
    const { number, path } = await find(definition)
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"\d+-[\w-]{22}"$/)
    for (const sent of [tag, `W/${tag}`, `"other", W/"more",${tag}`, '*']) {
      const same = await get(path, { 'If-None-Match': sent })
      expect([same.status, same.text, same.headers['etag']]).toEqual([304, '', tag])
    }
    for (const sent of ['"other"', tag.replace('-', '+')])
      expect((await get(path, { 'If-None-Match': sent })).status).toBe(200)
    for (const sent of [tag, `"other", ${tag}`, '*'])
      expect((await get(path, { 'If-Match': sent })).status).toBe(200)
    for (const sent of [`W/${tag}`, '"other"'])
      expect((await get(path, { 'If-Match': sent })).status).toBe(412)
    const head = await core.client.request('HEAD', path, { token: core.tokens.admin })
    expect([head.status, head.headers['etag']]).toEqual([200, tag])
    await touch(table, number)
    expect((await get(path, { 'If-None-Match': tag })).status).toBe(200)
    expect(await tagOf(path)).not.toBe(tag)
  })

  it('is neither changed nor deleted by who read an older version', async () => {
    const { number, id, path } = await find(definition)
    const stale = await tagOf(path)
    await touch(table, number)
    const tag = await tagOf(path)
    const send = (method: 'PATCH' | 'DELETE', sent: string) =>
      core.send(method, path, core.tokens.admin, method === 'PATCH' ? { data: { type, id } } : undefined, {
        'If-Match': sent,
      })
    const methods = [
      ...(operations.includes('update') ? (['PATCH'] as const) : []),
      ...(operations.includes('delete') ? (['DELETE'] as const) : []),
    ]
    for (const method of methods)
      for (const sent of [stale, `W/${tag}`, '"other"']) {
        const refused = await send(method, sent)
        expect([method, sent, refused.status, errorsOf(refused)[0]?.code]).toEqual([
          ...[method, sent],
          412,
          'PRECONDITION_FAILED',
        ])
      }
    expect(await tagOf(path)).toBe(tag)
    if (!operations.includes('update')) return
    const { status } = await send('PATCH', `"other", ${tag}`)
    expect(status).toBe(REFUSED_BY_RULES.has(type) ? 422 : 200)
  })

  it('has none in lists, as what is related, and as linkage', async () => {
    const { path } = await find(definition)
    const related = Object.entries(definition.relationships)
      .filter(([, { endpoint }]) => endpoint)
      .map(([name]) => name)
      .slice(0, 3)
    const paths = [
      ...(operations.includes('list') ? [`/api/${definition.path}`] : []),
      ...related.flatMap((name) => [`${path}/${name}`, `${path}/relationships/${name}`]),
    ]
    for (const each of paths) {
      const { status, headers } = await get(each, { 'If-None-Match': '*', 'If-Match': '"other"' })
      expect([each, status, headers['etag']]).toEqual([each, 200, undefined])
    }
  })
})

test('a singleton has none', async () => {
  const { status, headers } = await get('/api/organization', { 'If-None-Match': '*' })
  expect([status, headers['etag']]).toEqual([200, undefined])
})

test('a tag is of what the token shows', async () => {
  const { path } = await find(registry.require('orders'))
  const narrow = await tokenWith(core, permission('orders', { fields: { read: ['number'] } }))
  const { headers } = await core.get(path, narrow)
  expect(headers['etag']).toMatch(/^"/)
  expect(headers['etag']).not.toBe(await tagOf(path))
})

test('a storefront changes its cart by the tag that it read', async () => {
  const token = await core.tokens.mint(salesChannel([1]))
  const created = await core.send('POST', '/api/orders', token, { data: { type: 'orders', attributes: {} } })
  expect([created.status, created.headers['etag']]).toEqual([201, undefined])
  const { id } = singleOf(created).data
  const path = `/api/orders/${id}`
  const tag = (await core.get(path, token)).headers['etag'] ?? ''
  const note = (text: string) =>
    core.send(
      'PATCH',
      path,
      token,
      { data: { type: 'orders', id, attributes: { metadata: { text } } } },
      { 'If-Match': tag },
    )
  const changed = await note('first')
  expect([changed.status, changed.headers['etag']]).toEqual([200, undefined])
  expect((await note('second')).status).toBe(412)
  expect(singleOf(await core.get(path, token)).data.attributes['metadata']).toEqual({ text: 'first' })
})

test('pages of other origins may send the conditions and read the tag, also of what is refused', async () => {
  const { path } = await find(registry.require('skus'))
  const origin = { Origin: 'https://shop.example' }
  const preflight = await core.client.request('OPTIONS', path, {
    headers: { ...origin, 'Access-Control-Request-Method': 'PATCH' },
  })
  const allowed = preflight.headers['access-control-allow-headers']?.split(', ')
  expect(allowed).toEqual(expect.arrayContaining(['If-Match', 'If-None-Match']))
  const tag = await tagOf(path)
  const answers = [
    await get(path, origin),
    await get(path, { ...origin, 'If-None-Match': tag }),
    await get(path, { ...origin, 'If-Match': '"other"' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 304, 412])
  for (const { headers } of answers) {
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-expose-headers']?.split(', ')).toContain('ETag')
  }
})
