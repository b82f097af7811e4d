import { shop, things } from './fixtures/shop.ts'
import { violationsOf } from './fixtures/violations.ts'
import { limits } from './limits.ts'
import { checkUrlLength, parseListQuery, parseRetrieveQuery, refuseParameters } from './parse-query.ts'

const list = (query: string) => parseListQuery(query, things, shop)
const violations = (query: string) => violationsOf(() => list(query))

describe('page', () => {
  it.each([
    ['', { number: 1, size: 10 }],
    ['page%5Bnumber%5D=2&page%5Bsize%5D=25', { number: 2, size: 25 }],
    ['page[number]=3', { number: 3, size: 10 }],
    ['page[size]=1', { number: 1, size: 1 }],
    ['page%5bsize%5d=007', { number: 1, size: 7 }],
    ['page[number]=2147483647', { number: 2_147_483_647, size: 10 }],
  ])('"%s"', (query, page) => {
    expect(list(query).page).toEqual(page)
  })

  it.each(['0', '-1', '26', '1000', 'ten', '1.5', '', ' 5', '1e1', '99999999999999999999', '0x10', 'NaN'])(
    'refuses page[size]=%s, naming the maximum',
    (value) => {
      expect(violations(`page[size]=${encodeURIComponent(value)}`)).toEqual([
        {
          code: 'invalid_page_value',
          detail: expect.stringContaining('from 1 to 25') as unknown,
          at: 'page[size]',
        },
      ])
    },
  )

  it.each(['0', '-1', 'x', '2147483648'])('refuses page[number]=%s', (value) => {
    expect(violations(`page[number]=${value}`)).toMatchObject([
      { code: 'invalid_page_value', at: 'page[number]' },
    ])
  })

  it.each(['offset', 'after', ''])('refuses page[%s]', (key) => {
    expect(violations(`page[${key}]=1`)).toMatchObject([{ code: 'param_not_allowed' }])
  })

  it.each(['page=1', 'page[size][x]=1'])('refuses %s, which is no page object', (query) => {
    expect(violations(query)).toMatchObject([{ code: 'invalid_page_object' }])
  })
})

describe('sort', () => {
  const sorts = (query: string) =>
    list(query).sorts.map(
      ({ field, isDescending }) => `${isDescending ? '-' : ''}${field.kind}:${field.name}`,
    )

  it.each([
    ['sort=code', ['attribute:code']],
    ['sort=-code,id', ['-attribute:code', 'id:id']],
    ['sort=created_at%2C-updated_at', ['attribute:created_at', '-attribute:updated_at']],
    ['sort=-shelf', ['-toOneKey:shelf']],
    ['sort=reference,reference_origin', ['attribute:reference', 'attribute:reference_origin']],
    ['sort=', []],
  ])('%s', (query, expected) => {
    expect(sorts(query)).toEqual(expected)
  })

  it.each([
    'nope',
    'metadata',
    'details',
    'shout',
    'colour',
    'spare_shelf',
    'tags',
    'shelf.name',
    '--code',
    ' code',
    'toString',
  ])('refuses "%s" and lists what may be sorted', (name) => {
    expect(violations(`sort=${encodeURIComponent(name)}`)).toEqual([
      {
        code: 'invalid_sort_criteria',
        detail: expect.stringContaining('allowed: id, code') as unknown,
        at: 'sort',
      },
    ])
  })

  it('refuses more fields than the limit', () => {
    const many = (count: number) => `sort=${Array.from({ length: count }, () => 'code').join(',')}`
    expect(violations(many(limits.sortsMax + 1))).toMatchObject([{ code: 'invalid_sort_criteria' }])
    expect(violations(many(limits.sortsMax))).toEqual([])
  })

  it('refuses brackets', () => {
    expect(violations('sort[code]=asc')).toMatchObject([{ code: 'invalid_sort_criteria' }])
  })
})

describe('include', () => {
  it.each([
    ['include=shelf', { shelf: {} }],
    ['include=shelf.room,shelf.things,tags', { shelf: { room: {}, things: {} }, tags: {} }],
    ['include=shelf,shelf.room', { shelf: { room: {} } }],
    ['include=notes.about.room', { notes: { about: { room: {} } } }],
    ['include=maker', { maker: {} }],
    ['include=', {}],
  ])('%s', (query, tree) => {
    expect(list(query).include).toEqual(tree)
    expect(parseRetrieveQuery(query, things, shop).include).toEqual(tree)
  })

  it.each(['nope', 'hidden', 'shelf.nope', 'code', 'shelf..room', '.shelf', 'constructor', 'shelf, tags'])(
    'refuses "%s" and lists what may be included',
    (path) => {
      expect(violations(`include=${encodeURIComponent(path)}`)).toContainEqual({
        code: 'invalid_include',
        detail: expect.stringContaining('allowed:') as unknown,
        at: 'include',
      })
    },
  )

  it('refuses paths deeper than the limit', () => {
    const deep = (levels: number) =>
      Array.from({ length: levels }, (_, at) => (at % 2 === 0 ? 'shelf' : 'things')).join('.')
    expect(violations(`include=${deep(limits.includeDepthMax)}`)).toEqual([])
    expect(violations(`include=${deep(limits.includeDepthMax + 1)}`)[0]?.detail).toContain('at most 6')
  })

  it('refuses more paths than the limit', () => {
    const many = (count: number) => `include=${Array.from({ length: count }, () => 'shelf').join(',')}`
    expect(violations(many(limits.includePathsMax))).toEqual([])
    expect(violations(many(limits.includePathsMax + 1))[0]?.detail).toContain(
      `at most ${limits.includePathsMax}`,
    )
  })

  it('refuses brackets', () => {
    expect(violations('include[]=shelf')).toMatchObject([{ code: 'invalid_include' }])
  })
})

describe('fields', () => {
  it('keeps a set per type, of any type', () => {
    const { fields } = list('fields[things]=code,name&fields%5Bshelves%5D=name&fields[tags]=')
    expect(fields.get('things')).toEqual(new Set(['code', 'name']))
    expect(fields.get('shelves')).toEqual(new Set(['name']))
    expect(fields.get('tags')).toEqual(new Set())
    expect(fields.get('notes')).toBeUndefined()
  })

  it.each([
    'id',
    'type',
    'shelf',
    'price_amount_float',
    'formatted_price_amount',
    'metadata',
    'stock',
    'shout',
  ])('accepts "%s"', (name) => {
    expect(violations(`fields[things]=${name}`)).toEqual([])
  })

  it.each(['nope', 'password', '_disable', 'links'])('refuses the field "%s"', (name) => {
    expect(violations(`fields[things]=${name}`)).toMatchObject([
      { code: 'invalid_field', at: 'fields[things]' },
    ])
  })

  it('refuses an unknown type', () => {
    expect(violations('fields[nope]=id')).toMatchObject([{ code: 'invalid_resource', at: 'fields[nope]' }])
  })

  it.each(['fields=code', 'fields[]=code', 'fields[things][x]=code'])('refuses %s', (query) => {
    expect(violations(query)).toMatchObject([{ code: 'invalid_field_format' }])
  })
})

describe('parameters', () => {
  it.each(['foo=1', 'q=1', 'Page[size]=1', 'filters[q][code_eq]=A', 'search'])('refuses %s', (query) => {
    expect(violations(query)).toMatchObject([{ code: 'param_not_allowed' }])
  })

  it('refuses a parameter that is given twice', () => {
    expect(violations('sort=code&sort=id')).toMatchObject([{ code: 'param_not_allowed', at: 'sort' }])
  })

  it('refuses invalid percent-encoding', () => {
    expect(violations('sort=%zz')).toMatchObject([{ code: 'bad_request' }])
    expect(violations('sort=%ff')).toMatchObject([{ code: 'bad_request' }])
  })

  it.each(['page[size=1', 'page]=1', '[size]=1', '=1'])('refuses the name in "%s"', (query) => {
    expect(violations(query)).toMatchObject([{ code: 'param_not_allowed' }])
  })

  it('refuses zero characters, which no column holds, and says that it is the value that has one', () => {
    expect(violations('filter[code]=a%00b')).toMatchObject([
      {
        code: 'param_not_allowed',
        detail: 'the value of "filter[code]" contains the character NUL (U+0000), which is not allowed',
        at: 'filter[code]',
      },
    ])
  })

  it('reads plus as a space and skips empty parts', () => {
    const { filters } = list('&&filter[name]=a+b%20c%2Bd&')
    expect(filters[0]?.tests[0]?.test).toMatchObject({ values: ['a b c+d'] })
  })

  it('refuses more parameters than the limit', () => {
    const many = Array.from({ length: limits.parametersMax + 1 }, (_, at) => `x${at}=1`).join('&')
    expect(violations(many)).toMatchObject([
      { code: 'param_not_allowed', detail: expect.stringContaining('200') as unknown },
    ])
  })

  it('keeps all but the page for links, filters first', () => {
    expect(
      list('sort=code&page[size]=5&include=shelf&filter[code]=A&fields[things]=code').parameters,
    ).toEqual([
      ['filter[code]', 'A'],
      ['include', 'shelf'],
      ['fields[things]', 'code'],
      ['sort', 'code'],
    ])
  })

  it('reports the violations of every part at once', () => {
    expect(
      violations('page[size]=0&sort=nope&include=nope&fields[nope]=x&filter[nope]=x&foo=1')
        .map(({ code }) => code)
        .sort(),
    ).toEqual([
      'filter_not_allowed',
      'invalid_include',
      'invalid_page_value',
      'invalid_resource',
      'invalid_sort_criteria',
      'param_not_allowed',
    ])
  })
})

describe('one resource', () => {
  it.each(['page[number]=1', 'sort=code', 'filter[code]=A'])('refuses %s', (query) => {
    expect(violationsOf(() => parseRetrieveQuery(query, things, shop))).toMatchObject([
      { code: 'param_not_allowed', detail: expect.stringContaining('include, fields') as unknown },
    ])
  })

  it('refuses every parameter where none is taken', () => {
    expect(violationsOf(() => refuseParameters('include=shelf'))).toMatchObject([
      { code: 'param_not_allowed' },
    ])
    expect(violationsOf(() => refuseParameters(''))).toEqual([])
  })
})

describe('checkUrlLength', () => {
  it('refuses a URL beyond the limit', () => {
    expect(violationsOf(() => checkUrlLength('x'.repeat(limits.urlCharactersMax)))).toEqual([])
    expect(violationsOf(() => checkUrlLength('x'.repeat(limits.urlCharactersMax + 1)))).toMatchObject([
      { code: 'uri_too_long' },
    ])
  })
})
