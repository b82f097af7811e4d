import { shop, things } from './fixtures/shop.ts'
import { violationsOf } from './fixtures/violations.ts'
import { limits } from './limits.ts'
import { parseWrite, readWrite } from './parse-write.ts'
import { sentNames } from './write-request.ts'
import type { WriteTarget } from './write-request.ts'

const creating: WriteTarget = {
  definition: things,
  registry: shop,
  operation: 'create',
  isSalesChannel: false,
}
const updating: WriteTarget = { ...creating, operation: 'update', id: 'abcdefghij' }
const forSale = { isSalesChannel: true }

const create = (data: unknown, more: Partial<WriteTarget> = {}) =>
  parseWrite({ data }, { ...creating, ...more })
const update = (data: unknown, more: Partial<WriteTarget> = {}) =>
  parseWrite({ data }, { ...updating, ...more })
const violations = (act: () => unknown) => violationsOf(act).map(({ code, at }) => `${code} ${at}`)

const attributes = (sent: unknown) => ({ type: 'things', attributes: sent })
const relationships = (sent: unknown) => ({ type: 'things', relationships: sent })

describe('a write request', () => {
  it('separates attributes, triggers and linkage', () => {
    const request = create({
      type: 'things',
      attributes: { code: 'A', name: null, _disable: true },
      relationships: {
        shelf: { data: { type: 'shelves', id: 's' } },
        maker: { data: null },
        tags: { data: [{ type: 'tags', id: 't', meta: {} }] },
      },
    })
    expect(request.attributes).toEqual(
      new Map<string, unknown>([
        ['code', 'A'],
        ['name', null],
      ]),
    )
    expect(request.triggers).toEqual(new Map([['_disable', true]]))
    expect(request.toOne).toEqual(
      new Map<string, unknown>([
        ['shelf', { type: 'shelves', id: 's' }],
        ['maker', null],
      ]),
    )
    expect(request.toMany).toEqual(new Map([['tags', [{ type: 'tags', id: 't' }]]]))
    expect([...sentNames(request)]).toEqual(['code', 'name', '_disable', 'shelf', 'maker', 'tags'])
  })

  it('may be empty', () => {
    expect(sentNames(create({ type: 'things', attributes: {}, relationships: {} })).size).toBe(0)
    expect(sentNames(update({ type: 'things', id: 'abcdefghij' })).size).toBe(0)
  })

  it.each([false, null])('takes a trigger that is %p as not sent', (value) => {
    expect(update({ type: 'things', id: 'abcdefghij', attributes: { _enable: value } }).triggers.size).toBe(0)
  })

  it('takes texts as the numbers and booleans that they mean', () => {
    const sent = { name: '1', weight: '180.0', pieces: 'one', is_fragile: 'false', _disable: 'true' }
    const { attributes: values, triggers } = create(attributes({ code: '7', ...sent }))
    expect(Object.fromEntries(values)).toEqual({
      code: '7',
      name: '1',
      weight: 180,
      pieces: 'one',
      is_fragile: false,
    })
    expect(triggers).toEqual(new Map([['_disable', true]]))
    expect(create(attributes({ _disable: 'false' })).triggers.size).toBe(0)
  })

  it('links to a member of an abstract type by either name', () => {
    for (const type of ['makers', 'factories']) {
      expect(create(relationships({ maker: { data: { type, id: 'm' } } })).toOne.get('maker')).toEqual({
        type,
        id: 'm',
      })
    }
  })

  it('links a polymorphic relationship to any of its types', () => {
    const definition = shop.require('notes')
    const note = (type: string) =>
      create({ type: 'notes', relationships: { about: { data: { type, id: 'x' } } } }, { definition })
    expect(note('things').toOne.get('about')).toEqual({ type: 'things', id: 'x' })
    expect(note('shelves').toOne.get('about')).toEqual({ type: 'shelves', id: 'x' })
    expect(violations(() => note('tags'))).toEqual(['type_mismatch /data/relationships/about/data/type'])
  })
})

describe('bodies', () => {
  it.each([undefined, null, 'text', 7, [], {}])('%p have no data', (body) => {
    expect(violations(() => parseWrite(body, creating))).toEqual(['param_missing /data'])
  })

  it.each([null, [], 'text', 7, true])('with data %p are no resource object', (data) => {
    expect(violations(() => create(data))).toEqual(['invalid_data_format /data'])
  })

  it.each<[unknown, readonly string[]]>([
    [{}, ['param_missing /data/type']],
    [{ type: 'tags' }, ['type_mismatch /data/type']],
    [{ type: 7 }, ['type_mismatch /data/type']],
    [{ type: 'things', id: 'mine' }, ['param_not_allowed /data/id']],
    [
      { type: 'things', extra: 1, 'a/b~c': 2 },
      ['param_not_allowed /data/extra', 'param_not_allowed /data/a~1b~0c'],
    ],
    [{ type: 'things', attributes: [] }, ['invalid_data_format /data/attributes']],
    [{ type: 'things', attributes: null }, ['invalid_data_format /data/attributes']],
    [{ type: 'things', relationships: 'x' }, ['invalid_data_format /data/relationships']],
  ])('creating with %j: %p', (data, expected) => {
    expect(violations(() => create(data))).toEqual(expected)
  })

  it.each<[unknown, readonly string[]]>([
    [{ type: 'things' }, ['key_order_mismatch /data/id']],
    [{ type: 'things', id: 'other' }, ['key_not_included_in_url /data/id']],
    [{ type: 'things', id: 12 }, ['key_not_included_in_url /data/id']],
    [{ type: 'tags', id: 'other' }, ['type_mismatch /data/type', 'key_not_included_in_url /data/id']],
  ])('updating with %j: %p', (data, expected) => {
    expect(violations(() => update(data))).toEqual(expected)
  })

  it('names the key that the URL does not support', () => {
    expect(violationsOf(() => update({ type: 'things', id: 'other' }))[0]?.detail).toBe(
      'The URL does not support the key other',
    )
  })
})

describe('attributes', () => {
  it.each([
    'nope',
    'id',
    'created_at',
    'shout',
    'stock',
    'disabled_at',
    'key',
    'price_amount_float',
    'formatted_price_amount',
    'shelf',
    '__proto__',
    'constructor',
  ])('%s cannot be sent', (name) => {
    const sent = JSON.parse(`{"${name}": 1}`) as unknown
    expect(violations(() => create(attributes(sent)))).toEqual([`param_not_allowed /data/attributes/${name}`])
  })

  it('of creation cannot be sent later, nor those of updates at creation', () => {
    expect(violations(() => update({ ...attributes({ code: 'A' }), id: 'abcdefghij' }))).toEqual([
      'param_not_allowed /data/attributes/code',
    ])
    expect(violations(() => create(attributes({ fee_cents: 1, _enable: true })))).toEqual([
      'param_not_allowed /data/attributes/fee_cents',
      'param_not_allowed /data/attributes/_enable',
    ])
  })

  it('that are prohibited are refused to sales channels only', () => {
    const sent = { ...attributes({ manual: 'x', _rename: 'y' }), id: 'abcdefghij' }
    expect(violations(() => update(sent, forSale))).toEqual([
      'param_not_allowed /data/attributes/manual',
      'param_not_allowed /data/attributes/_rename',
    ])
    expect(violations(() => update(sent))).toEqual([])
  })
})

describe('relationships', () => {
  it.each([
    ['nope', {}],
    ['notes', { data: [] }],
    ['hidden', { data: null }],
    ['name', { data: null }],
  ])('%s cannot be sent', (name, value) => {
    expect(violations(() => create(relationships({ [name]: value })))).toEqual([
      `param_not_allowed /data/relationships/${name}`,
    ])
  })

  it('of creation cannot be sent later', () => {
    const sent = { ...relationships({ spare_shelf: { data: null } }), id: 'abcdefghij' }
    expect(violations(() => update(sent))).toEqual(['param_not_allowed /data/relationships/spare_shelf'])
  })

  it('that are prohibited are refused to sales channels only', () => {
    const sent = relationships({ tags: { data: [] } })
    expect(violations(() => create(sent, forSale))).toEqual(['param_not_allowed /data/relationships/tags'])
    expect(violations(() => create(sent))).toEqual([])
  })

  it.each<[unknown, string]>([
    [null, 'invalid_links_object /data/relationships/shelf'],
    ['id', 'invalid_links_object /data/relationships/shelf'],
    [{}, 'invalid_links_object /data/relationships/shelf'],
    [{ data: [] }, 'invalid_links_object /data/relationships/shelf/data'],
    [{ data: { type: 'shelves' } }, 'invalid_links_object /data/relationships/shelf/data'],
    [{ data: { type: 'shelves', id: 3 } }, 'invalid_links_object /data/relationships/shelf/data'],
    [{ data: { type: 'tags', id: 'x' } }, 'type_mismatch /data/relationships/shelf/data/type'],
  ])('a to-one of %j is refused', (value, expected) => {
    expect(violations(() => create(relationships({ shelf: value })))).toEqual([expected])
  })

  it.each<[unknown, string]>([
    [{ data: null }, 'invalid_links_object /data/relationships/tags/data'],
    [{ data: { type: 'tags', id: 'x' } }, 'invalid_links_object /data/relationships/tags/data'],
    [
      { data: [{ type: 'tags', id: 'x' }, { id: 'y' }] },
      'invalid_links_object /data/relationships/tags/data/1',
    ],
    [{ data: [{ type: 'shelves', id: 'x' }] }, 'type_mismatch /data/relationships/tags/data/0/type'],
  ])('a to-many of %j is refused', (value, expected) => {
    expect(violations(() => create(relationships({ tags: value })))).toEqual([expected])
  })

  it('link at most so many at once', () => {
    const many = (count: number) => ({
      tags: { data: Array.from({ length: count }, () => ({ type: 'tags', id: 'x' })) },
    })
    expect(violations(() => create(relationships(many(limits.linkagesMax))))).toEqual([])
    expect(violations(() => create(relationships(many(limits.linkagesMax + 1))))).toEqual([
      'invalid_links_object /data/relationships/tags/data',
    ])
  })

  it('reports violations of all members at once', () => {
    const data = { type: 'tags', extra: 1, attributes: { nope: 1 }, relationships: { nope: 1, shelf: 1 } }
    expect(violations(() => create(data))).toHaveLength(5)
  })
})

describe('a document with violations', () => {
  it('is understood as far as it can be', () => {
    const data = {
      type: 'things',
      attributes: { code: 'A', nope: 1 },
      relationships: {
        shelf: { data: 'x' },
        tags: { data: [{ type: 'tags', id: 't' }, 7] },
        maker: { data: null },
      },
    }
    const { request, violations: found, unreadable, isJudgeable } = readWrite({ data }, creating)
    expect(found).toHaveLength(3)
    expect([...sentNames(request)]).toEqual(['code', 'maker'])
    expect([...unreadable]).toEqual(['shelf', 'tags'])
    expect(isJudgeable).toBe(true)
  })

  it.each<[string, unknown, boolean]>([
    ['without a type', {}, true],
    ['for another type', { type: 'tags' }, false],
    ['for another resource', { type: 'things', id: 'other' }, false],
    ['without an id', { type: 'things' }, true],
    ['with attributes that are none', { type: 'things', id: 'abcdefghij', attributes: 7 }, false],
    ['with relationships that are none', { type: 'things', id: 'abcdefghij', relationships: [] }, false],
    ['that is none', 7, false],
  ])('%s can be judged: %p', (_name, data, expected) => {
    expect(readWrite({ data }, updating).isJudgeable).toBe(expected)
  })
})
