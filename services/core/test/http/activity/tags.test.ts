/** Tags on records: the set that is sent, names added and removed, filters, limits, and who may (core-conventions.md 8.4). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('tags')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(`UPDATE environments SET settings = '{}'`)
})
afterAll(() => core.close())

const make = (name: string, token = core.tokens.admin) =>
  core.send('POST', '/api/tags', token, { data: { type: 'tags', attributes: { name } } })

const made = async (name: string): Promise<string> => singleOf(await make(name)).data.id

const patch = (type: string, id: string, body: Body, token = core.tokens.admin, query = '') =>
  core.send('PATCH', `/api/${type}/${id}${query}`, token, { data: { type, id, ...body } })

const namesOf = async (type: string, id: string): Promise<readonly unknown[]> =>
  listOf(await core.get(`/api/${type}/${id}/tags`, core.tokens.admin)).data.map(
    ({ attributes }) => attributes['name'],
  )

const SKU = encodeId('skus', 1)

describe('a tag', () => {
  it('is made, found, renamed and deleted, and leaves every record with that', async () => {
    const id = await made('summer')
    await patch('skus', SKU, { relationships: { tags: { data: [{ type: 'tags', id }] } } })
    expect(
      singleOf(await patch('tags', id, { attributes: { name: 'winter' } })).data.attributes['name'],
    ).toBe('winter')
    expect(
      listOf(await core.get('/api/tags?filter[q][name_eq]=winter', core.tokens.admin)).data,
    ).toHaveLength(1)
    expect(await namesOf('skus', SKU)).toEqual(['winter'])
    expect((await core.send('DELETE', `/api/tags/${id}`, core.tokens.admin)).status).toBe(204)
    expect(await namesOf('skus', SKU)).toEqual([])
  })

  it.each([
    ['no name', '', 'blank'],
    ['a blank inside', 'two words', 'invalid'],
    ['26 characters', 'x'.repeat(26), 'too_long'],
  ])('refuses %s', async (_name, name, error) => {
    expect(at(await make(name))).toEqual([['422', '/data/attributes/name', error]])
  })

  it('has a name of its own in its environment', async () => {
    await made('summer')
    expect(at(await make('summer'))).toEqual([['422', '/data/attributes/name', 'taken']])
    expect((await make('summer', core.tokens.otherOrganization)).status).toBe(201)
    expect((await make('summer', core.tokens.live)).status).toBe(201)
  })

  it('is as long as the organization lets it be', async () => {
    await core.pool.query(`UPDATE environments SET settings = '{"tags_max_name_length": 5}' WHERE id = 1`)
    expect(errorsOf(await make('summer'))).toMatchObject([{ meta: { error: 'too_long', count: 5 } }])
    expect((await make('sunny')).status).toBe(201)
  })
})

describe.each([
  ['skus', 1],
  ['customers', 1],
  ['addresses', 1],
  ['orders', 1],
  ['line_items', 1],
])('tags of %s', (type, number) => {
  const id = encodeId(type, number)

  it('are the set that is sent, or changed by name: added first, removed after', async () => {
    const [a, b] = [await made('a'), await made('b')]
    await made('c')
    const tags = { data: [a, b].map((each) => ({ type: 'tags', id: each })) }
    const response = await patch(type, id, { relationships: { tags } }, core.tokens.admin, '?include=tags')
    expect(singleOf(response).included?.map(({ attributes }) => attributes['name'])).toEqual(['a', 'b'])
    await patch(type, id, {
      attributes: { _add_tags: 'c, a,c,unknown, bad name', _remove_tags: 'b,c,nothing' },
    })
    expect(await namesOf(type, id)).toEqual(['a'])
    await patch(type, id, { relationships: { tags: { data: [] } }, attributes: { _add_tags: 'b' } })
    expect(await namesOf(type, id)).toEqual(['b'])
    await patch(type, id, { relationships: { tags: { data: [] } } })
    expect(await namesOf(type, id)).toEqual([])
  })

  it('find the records that have them', async () => {
    const tag = await made('summer')
    await patch(type, id, { attributes: { _add_tags: 'summer' } })
    for (const filter of ['tags_name_eq]=summer', `tags_id_in]=${tag}`, 'tags_name_start]=sum']) {
      const found = listOf(await core.get(`/api/${type}?filter[q][${filter}`, core.tokens.admin))
      expect(found.data.map((record) => record.id)).toEqual([id])
    }
    expect(
      listOf(await core.get(`/api/${type}?filter[q][tags_name_eq]=winter`, core.tokens.admin)).data,
    ).toEqual([])
  })

  it('say so as an event, once and only when they changed', async () => {
    await made('summer')
    await patch(type, id, { attributes: { _add_tags: 'summer' } })
    await patch(type, id, { attributes: { _add_tags: 'summer' } })
    const events = listOf(
      await core.get(`/api/${type}/${id}/events?filter[q][name_eq]=${type}.tagged`, core.tokens.admin),
    )
    expect(events.meta.record_count).toBe(1)
  })
})

test.each(['orders', 'line_items'])('sales channels never tag %s', async (type) => {
  const token = await core.tokens.mint(salesChannel([1]))
  const body = { relationships: { tags: { data: [] } }, attributes: { _add_tags: 'a', _remove_tags: 'b' } }
  const response = await patch(type, encodeId(type, 1), body, token)
  expect(errorsOf(response).map(({ code }) => code)).toEqual(
    Array.from({ length: 3 }, () => 'PARAM_NOT_ALLOWED'),
  )
})

describe('what cannot be tagged', () => {
  it('is a record with more tags than the organization allows', async () => {
    const names = Array.from({ length: 11 }, (_unused, at) => `tag-${at}`)
    for (const name of names) await make(name)
    const tooMany = await patch('skus', SKU, { attributes: { _add_tags: names.join(',') } })
    expect(errorsOf(tooMany)).toMatchObject([
      { source: { pointer: '/data/attributes/_add_tags' }, meta: { error: 'too_many', count: 10 } },
    ])
    expect(await namesOf('skus', SKU)).toEqual([])
    await core.pool.query(`UPDATE environments SET settings = '{"tags_max_allowed_number": 11}' WHERE id = 1`)
    expect((await patch('skus', SKU, { attributes: { _add_tags: names.join(',') } })).status).toBe(200)
  })

  it('is a record with tags of another organization', async () => {
    const theirs = singleOf(await make('theirs', core.tokens.otherOrganization)).data.id
    const tags = { data: [{ type: 'tags', id: theirs }] }
    expect(at(await patch('skus', SKU, { relationships: { tags } }))).toEqual([
      ['422', '/data/relationships/tags', 'noent'],
    ])
    await patch('skus', SKU, { attributes: { _add_tags: 'theirs' } })
    expect(await namesOf('skus', SKU)).toEqual([])
  })

  it('is what has no tags, and what takes no text', async () => {
    const market = encodeId('markets', 1)
    expect(errorsOf(await patch('markets', market, { attributes: { _add_tags: 'a' } }))).toMatchObject([
      { code: 'PARAM_NOT_ALLOWED' },
    ])
    expect(at(await patch('skus', SKU, { attributes: { _add_tags: true } }))).toEqual([
      ['422', '/data/attributes/_add_tags', 'invalid'],
    ])
  })
})

test('a record can be tagged as it is made', async () => {
  const id = await made('new')
  const response = await core.send('POST', '/api/skus?include=tags', core.tokens.admin, {
    data: {
      type: 'skus',
      attributes: { code: 'TAGGED', name: 'Tagged' },
      relationships: {
        shipping_category: one('shipping_categories', 1),
        tags: { data: [linkTo('tags', id).data] },
      },
    },
  })
  expect(singleOf(response).included?.map(({ attributes }) => attributes['name'])).toEqual(['new'])
})
