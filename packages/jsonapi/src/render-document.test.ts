import { text } from './attributes.ts'
import type { RenderContext, Row } from './attributes.ts'
import { defineResource } from './define-resource.ts'
import { encodeId } from './fixtures/ids.ts'
import { shop } from './fixtures/shop.ts'
import type { Linked, ResourceRecord } from './record.ts'
import { renderCollection, renderRelationship, renderSingle } from './render-document.ts'

const context: RenderContext = {
  mode: 'test',
  organizationId: 'enWoxFMOnp',
  baseUrl: 'https://shop.example.com',
  isConfidential: true,
}

const whole = { fields: new Map<string, ReadonlySet<string>>(), hasIncludes: false }
const CREATED = new Date('2026-01-02T03:04:05.006Z')

const record = (
  type: string,
  number: number,
  row: Row = {},
  linked: Readonly<Record<string, Linked>> = {},
): ResourceRecord => ({
  definition: shop.require(type),
  id: encodeId(type, number),
  row: { id: number, environment_id: 1, created_at: CREATED, updated_at: CREATED, metadata: {}, ...row },
  linked: new Map(Object.entries(linked)),
})

const thing = (row: Row = {}, linked: Readonly<Record<string, Linked>> = {}) =>
  record(
    'things',
    7,
    {
      code: 'A1',
      name: 'Lamp',
      currency_code: 'EUR',
      price_amount_cents: 1050,
      fee_cents: -5,
      fee_currency: 'JPY',
      ...row,
    },
    linked,
  )

const single = (of: ResourceRecord, more: Partial<RenderContext> = {}, options = whole) =>
  renderSingle(of, { ...context, ...more }, options).data

describe('a resource object', () => {
  it('has its keys in the order of the wire', () => {
    expect(Object.keys(single(thing()) ?? {})).toEqual([
      'id',
      'type',
      'links',
      'attributes',
      'relationships',
      'meta',
    ])
  })

  it('says where it is and whose', () => {
    const id = encodeId('things', 7)
    expect(single(thing())).toMatchObject({
      id,
      type: 'things',
      links: { self: `https://shop.example.com/api/things/${id}` },
      meta: { mode: 'test', organization_id: 'enWoxFMOnp' },
    })
  })

  it('has attributes in the order of the definition, common ones last, triggers and hidden ones never', () => {
    expect(Object.keys(single(thing())?.attributes ?? {})).toEqual([
      'code',
      'name',
      'weight',
      'pieces',
      'is_fragile',
      'made_at',
      'colour',
      'details',
      'labels',
      'currency_code',
      'price_amount_cents',
      'price_amount_float',
      'formatted_price_amount',
      'fee_cents',
      'fee_float',
      'formatted_fee',
      'shout',
      'stock',
      'key',
      'manual',
      'disabled_at',
      'created_at',
      'updated_at',
      'reference',
      'reference_origin',
      'metadata',
    ])
  })

  it('gives amounts in three forms, in the currency of their own column', () => {
    expect(single(thing())?.attributes).toMatchObject({
      price_amount_cents: 1050,
      price_amount_float: 10.5,
      formatted_price_amount: '€10,50',
      fee_cents: -5,
      fee_float: -5,
      formatted_fee: '-¥5',
    })
  })

  it('gives null companions to an amount that is null or has no currency', () => {
    expect(single(thing({ price_amount_cents: null, fee_currency: null }))?.attributes).toMatchObject({
      price_amount_cents: null,
      price_amount_float: null,
      formatted_price_amount: null,
      fee_cents: -5,
      fee_float: null,
    })
  })

  it.each([
    [{ made_at: CREATED }, 'made_at', '2026-01-02T03:04:05.006Z'],
    [{ made_at: null }, 'made_at', null],
    [{}, 'made_at', null],
    [{ weight: '0.1' }, 'weight', 0.1],
    [{ weight: 12 }, 'weight', 12],
    [{ weight: null }, 'weight', null],
    [{ is_fragile: false }, 'is_fragile', false],
    [{ labels: ['a'] }, 'labels', ['a']],
    [{ name: 'x' }, 'shout', 'X (test)'],
  ])('reads %p as %s: %p', (row, name, value) => {
    expect(single(thing(row))?.attributes[name]).toEqual(value)
  })

  it('fails on a column that holds something else than its kind, rather than answer nonsense', () => {
    expect(() => single(thing({ made_at: 'yesterday' }))).toThrow(TypeError)
    expect(() => single(thing({ weight: 'heavy' }))).toThrow(TypeError)
  })

  it('shows loaded values, and null where nothing was loaded', () => {
    expect(
      single({ ...thing(), loaded: new Map([['stock', { quantity: 3 }]]) })?.attributes['stock'],
    ).toEqual({ quantity: 3 })
    expect(single(thing())?.attributes['stock']).toBeNull()
  })

  it('completes paths of this server with its address', () => {
    const definition = defineResource('tests', {
      summary: 'A test.',
      model: 'test',
      operations: ['retrieve'],
      scope: 'environment',
      attributes: { picture: text({ served: true }) },
    })
    const pictures = ['/a.svg', 'https://b.example/b.svg', null].map(
      (picture) => single({ ...thing({ picture }), definition })?.attributes['picture'],
    )
    expect(pictures).toEqual(['https://shop.example.com/a.svg', 'https://b.example/b.svg', null])
  })

  it('shows secrets to confidential credentials only', () => {
    expect(single(thing({ key: 's3cret' }))?.attributes['key']).toBe('s3cret')
    expect(single(thing({ key: 's3cret' }), { isConfidential: false })?.attributes).not.toHaveProperty('key')
  })

  it('opens what is sealed, where something opens it', () => {
    const definition = defineResource('vaults', {
      summary: 'Where things are kept.',
      model: 'vault',
      operations: ['list'],
      scope: 'environment',
      attributes: { key: text({ sealed: true, secret: true }) },
    })
    const vault = { ...thing({ sealed_key: 'box' }), definition }
    expect(single(vault, { openSecret: (sealed) => `opened ${String(sealed)}` })?.attributes['key']).toBe(
      'opened box',
    )
    expect(single(vault)?.attributes['key']).toBeNull()
  })

  it('lists relationships with links and without data, except those without an endpoint', () => {
    const self = `https://shop.example.com/api/things/${encodeId('things', 7)}`
    const relationships = single(thing())?.relationships
    expect(Object.keys(relationships ?? {})).toEqual(['shelf', 'spare_shelf', 'tags', 'notes', 'maker'])
    expect(relationships?.['shelf']).toEqual({
      links: { self: `${self}/relationships/shelf`, related: `${self}/shelf` },
    })
  })

  it('has data where a relationship was included: one, null or a list', () => {
    const linked = {
      shelf: record('shelves', 2),
      maker: null,
      tags: [record('tags', 1), record('tags', 3)],
      hidden: null,
    }
    const relationships = single(thing({}, linked))?.relationships
    expect(relationships?.['shelf']?.data).toEqual({ type: 'shelves', id: encodeId('shelves', 2) })
    expect(relationships?.['maker']?.data).toBeNull()
    expect(relationships?.['tags']?.data).toEqual(
      [1, 3].map((number) => ({ type: 'tags', id: encodeId('tags', number) })),
    )
    expect(relationships?.['notes']).not.toHaveProperty('data')
    expect(relationships?.['hidden']).toEqual({ data: null })
  })

  it('without any relationship has no such key', () => {
    expect(single(record('tags', 1, { name: 'x' }))).not.toHaveProperty('relationships')
  })

  it('of a singleton links to its path', () => {
    expect(single({ ...record('houses', 1), id: 'any' })?.links.self).toBe(
      'https://shop.example.com/api/house',
    )
  })
})

describe('sparse fieldsets', () => {
  const fields = (...names: string[]) => ({ ...whole, fields: new Map([['things', new Set(names)]]) })

  it('choose attributes, companions and relationships', () => {
    const data = single(thing(), {}, fields('code', 'formatted_price_amount', 'shelf'))
    expect(data?.attributes).toEqual({ code: 'A1', formatted_price_amount: '€10,50' })
    expect(Object.keys(data?.relationships ?? {})).toEqual(['shelf'])
  })

  it('may choose nothing', () => {
    const data = single(thing(), {}, fields())
    expect([data?.attributes, data && 'relationships' in data]).toEqual([{}, false])
  })
})

describe('documents', () => {
  const page = { number: 2, size: 1 }
  const query = {
    fields: whole.fields,
    page,
    parameters: [['filter[q][name_eq]', 'a b,c&d']] as const,
    hasIncludes: false,
  }

  it('of nothing are null', () => {
    expect(renderSingle(null, context, whole)).toEqual({ data: null })
    expect(renderSingle(null, context, { ...whole, hasIncludes: true })).toEqual({ data: null, included: [] })
  })

  it('of collections have data, meta and links, and no single-only attributes', () => {
    const document = renderCollection(
      { records: [thing()], recordCount: 3 },
      context,
      query,
      'https://shop.example.com/api/things',
    )
    expect(Object.keys(document)).toEqual(['data', 'meta', 'links'])
    expect(document.meta).toEqual({ record_count: 3, page_count: 3 })
    expect(document.data[0]?.attributes).not.toHaveProperty('manual')
    expect(document.data[0]?.attributes).not.toHaveProperty('stock')
    const link = (number: number) =>
      `https://shop.example.com/api/things?filter%5Bq%5D%5Bname_eq%5D=a%20b%2Cc%26d&page%5Bnumber%5D=${number}&page%5Bsize%5D=1`
    expect(document.links).toEqual({ first: link(1), prev: link(1), next: link(3), last: link(3) })
  })

  it.each([
    [1, 0, ['first', 'last'], 0],
    [1, 1, ['first', 'last'], 1],
    [1, 2, ['first', 'next', 'last'], 2],
    [2, 2, ['first', 'prev', 'last'], 2],
    [9, 2, ['first', 'prev', 'last'], 2],
  ])('on page %d of %d records have the links %p', (number, recordCount, links, pageCount) => {
    const document = renderCollection(
      { records: [], recordCount },
      context,
      { ...query, page: { number, size: 1 } },
      'x',
    )
    expect(Object.keys(document.links)).toEqual(links)
    expect(document.meta.page_count).toBe(pageCount)
  })

  it('include everything reached once, in the order it is met, and no primary data again', () => {
    const shelf = record('shelves', 2, {}, { things: [] })
    const tag = record('tags', 1)
    const first = thing({}, { shelf, tags: [tag] })
    const second = record('things', 8, {}, { shelf, tags: [tag, record('tags', 2)] })
    const back = record('shelves', 3, {}, { things: [first] })
    const third = record('things', 9, {}, { shelf: back })
    const { included } = renderCollection(
      { records: [first, second, third], recordCount: 3 },
      context,
      { ...query, hasIncludes: true },
      'x',
    )
    expect(included?.map(({ type, id }) => `${type}/${id}`)).toEqual(
      [
        ['shelves', 2],
        ['tags', 1],
        ['tags', 2],
        ['shelves', 3],
      ].map(([type, number]) => `${type}/${encodeId(String(type), Number(number))}`),
    )
    expect(included?.[0]?.relationships?.['things']?.data).toEqual([])
  })

  it('include types without a fieldset of their own complete', () => {
    const options = { fields: new Map([['things', new Set(['tags'])]]), hasIncludes: true }
    const document = renderSingle(thing({}, { tags: [record('tags', 1, { name: 'x' })] }), context, options)
    expect(document.included?.[0]?.attributes).toHaveProperty('name', 'x')
  })

  it('of linkage have links and identifiers only', () => {
    const links = { self: 's', related: 'r' }
    expect(renderRelationship(null, links)).toEqual({ links, data: null })
    expect(renderRelationship([thing()], links)).toEqual({
      links,
      data: [{ type: 'things', id: encodeId('things', 7) }],
    })
  })
})
