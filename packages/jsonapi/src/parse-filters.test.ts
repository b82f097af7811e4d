import { encodeId } from './fixtures/ids.ts'
import { shop, things } from './fixtures/shop.ts'
import { violationsOf } from './fixtures/violations.ts'
import { limits } from './limits.ts'
import { parseListQuery } from './parse-query.ts'
import { predicates } from './predicates.ts'
import type { FieldTest, Filter } from './query.ts'

const parse = (query: string): readonly Filter[] => parseListQuery(query, things, shop).filters

const only = (query: string): FieldTest => {
  const test = parse(query)[0]?.tests[0]
  if (test === undefined) throw new Error('no test')
  return test
}

const testOf = (query: string) => only(query).test

const q = (key: string, value: string): string => `filter%5Bq%5D%5B${key}%5D=${encodeURIComponent(value)}`

const compare = (comparison: string, values: unknown[], quantifier = 'any', orNull = false) => ({
  kind: 'compare',
  comparison,
  quantifier,
  values,
  orNull,
})

const like = (patterns: string[], isNegated = false, quantifier = 'any') => ({
  kind: 'like',
  isNegated,
  quantifier,
  patterns,
})

const cases: readonly (readonly [key: string, value: string, expected: object])[] = [
  ['code_eq', 'A', compare('eq', ['A'])],
  ['code_eq', 'A,B', compare('eq', ['A,B'])],
  ['code_eq_or_null', 'A', compare('eq', ['A'], 'any', true)],
  ['code_not_eq', 'A', compare('not_eq', ['A'])],
  ['code_not_eq_or_null', 'A', compare('not_eq', ['A'], 'any', true)],
  ['code_not_eq_all', 'A,B', compare('not_eq', ['A', 'B'], 'all')],
  ['code_in', 'A,B', compare('eq', ['A', 'B'])],
  ['code_not_in', 'A,B', compare('not_eq', ['A', 'B'], 'all')],
  ['code_in_or_null', 'A,B', compare('eq', ['A', 'B'], 'any', true)],
  ['code_not_in_or_null', 'A,B', compare('not_eq', ['A', 'B'], 'all', true)],
  ['pieces_lt', '3', compare('lt', [3])],
  ['pieces_lteq', '-3', compare('lteq', [-3])],
  ['pieces_gt', '+3', compare('gt', [3])],
  ['pieces_gteq', '3', compare('gteq', [3])],
  ['pieces_lt_any', '1,2', compare('lt', [1, 2])],
  ['pieces_lteq_any', '1,2', compare('lteq', [1, 2])],
  ['pieces_gt_any', '1,2', compare('gt', [1, 2])],
  ['pieces_gteq_any', '1,2', compare('gteq', [1, 2])],
  ['pieces_lt_all', '1,2', compare('lt', [1, 2], 'all')],
  ['pieces_lteq_all', '1,2', compare('lteq', [1, 2], 'all')],
  ['pieces_gt_all', '1,2', compare('gt', [1, 2], 'all')],
  ['pieces_gteq_all', '1,2', compare('gteq', [1, 2], 'all')],
  ['name_matches', 'a%_b', like(['a%_b'])],
  ['name_does_not_match', 'a%', like(['a%'], true)],
  ['name_matches_any', 'a%,b%', like(['a%', 'b%'])],
  ['name_matches_all', 'a%,%b', like(['a%', '%b'], false, 'all')],
  ['name_does_not_match_any', 'a%,b%', like(['a%', 'b%'], true)],
  ['name_does_not_match_all', 'a%,b%', like(['a%', 'b%'], true, 'all')],
  ['name_start', '50%', like(['50\\%%'])],
  ['name_not_start', 'a_', like(['a\\_%'], true)],
  ['name_start_any', 'a,b', like(['a%', 'b%'])],
  ['name_start_all', 'a,ab', like(['a%', 'ab%'], false, 'all')],
  ['name_not_start_any', 'a,b', like(['a%', 'b%'], true)],
  ['name_not_start_all', 'a,b', like(['a%', 'b%'], true, 'all')],
  ['name_end', '\\', like(['%\\\\'])],
  ['name_not_end', 'a', like(['%a'], true)],
  ['name_end_any', 'a,b', like(['%a', '%b'])],
  ['name_end_all', 'a,ba', like(['%a', '%ba'], false, 'all')],
  ['name_not_end_any', 'a,b', like(['%a', '%b'], true)],
  ['name_not_end_all', 'a,b', like(['%a', '%b'], true, 'all')],
  ['name_cont', 'é', like(['%é%'])],
  ['name_not_cont', 'a', like(['%a%'], true)],
  ['name_cont_any', 'a,b', like(['%a%', '%b%'])],
  ['name_cont_all', 'a,b', like(['%a%', '%b%'], false, 'all')],
  ['name_not_cont_any', 'a,b', like(['%a%', '%b%'], true)],
  ['name_not_cont_all', 'a,b', like(['%a%', '%b%'], true, 'all')],
  ['name_i_cont', 'a', like(['%a%'])],
  ['name_not_i_cont', 'a', like(['%a%'], true)],
  ['name_i_cont_any', 'a,b', like(['%a%', '%b%'])],
  ['name_i_cont_all', 'a,b', like(['%a%', '%b%'], false, 'all')],
  ['name_not_i_cont_any', 'a,b', like(['%a%', '%b%'], true)],
  ['name_not_i_cont_all', 'a,b', like(['%a%', '%b%'], true, 'all')],
  ['name_present', 'true', { kind: 'blank', expected: false }],
  ['name_present', 'false', { kind: 'blank', expected: true }],
  ['name_blank', '1', { kind: 'blank', expected: true }],
  ['name_null', 't', { kind: 'null', expected: true }],
  ['name_not_null', 'T', { kind: 'null', expected: false }],
  ['name_not_null', '0', { kind: 'null', expected: true }],
  ['is_fragile_true', 'true', compare('eq', [true])],
  ['is_fragile_true', 'false', compare('eq', [false])],
  ['is_fragile_false', 'true', compare('eq', [false])],
  ['is_fragile_false', 'f', compare('eq', [true])],
  ['is_fragile_eq', 'FALSE', compare('eq', [false])],
  ['metadata_jcont', '{"a":{"b":[1]}}', { kind: 'containsJson', value: { a: { b: [1] } } }],
  ['labels_jcont', '["x"]', { kind: 'containsJson', value: ['x'] }],
  ['details_blank', 'true', { kind: 'blank', expected: true }],
  ['weight_eq', '1.5', compare('eq', [1.5])],
  ['weight_lt', '1e2', compare('lt', [100])],
  ['price_amount_cents_gteq', '1000', compare('gteq', [1000])],
  ['colour_in', 'red,green', compare('eq', ['red', 'green'])],
]

describe('every predicate', () => {
  it.each(cases)('%s=%s', (key, value, expected) => {
    expect(testOf(q(key, value))).toEqual(expected)
  })

  it.each(predicates)('$name has a case', ({ name }) => {
    expect(cases.some(([key]) => key.endsWith(`_${name}`))).toBe(true)
  })
})

describe('values', () => {
  it.each([
    ['2018-01-01', '2018-01-01T00:00:00.000Z'],
    ['2018-01-01T12:30:00Z', '2018-01-01T12:30:00.000Z'],
    ['2018-01-01T12:30:00.123456Z', '2018-01-01T12:30:00.123Z'],
    ['2018-01-01T12:30:00+02:00', '2018-01-01T10:30:00.000Z'],
    ['2018-01-01T12:30:00-0200', '2018-01-01T14:30:00.000Z'],
    ['2018-01-01T12:30', '2018-01-01T12:30:00.000Z'],
    ['2018-01-01 12:30:00', '2018-01-01T12:30:00.000Z'],
    ['2020-02-29', '2020-02-29T00:00:00.000Z'],
  ])('the instant %s is %s', (text, expected) => {
    expect(testOf(q('made_at_eq', text))).toEqual(compare('eq', [new Date(expected)]))
  })

  it('reads ids in the alphabet of the type they belong to', () => {
    expect(testOf(q('id_eq', encodeId('things', 12)))).toEqual(compare('eq', [12]))
    expect(testOf(q('shelf_id_in', `${encodeId('shelves', 3)},${encodeId('shelves', 4)}`))).toEqual(
      compare('eq', [3, 4]),
    )
    expect(testOf(q('maker_id_eq', encodeId('makers', 5)))).toEqual(compare('eq', [5]))
  })

  it('lets an id that cannot be decoded match nothing', () => {
    expect(testOf(q('id_eq', 'abcdefghij'))).toEqual(compare('eq', [-1]))
    expect(testOf(q('id_in', 'unknown'))).toEqual(compare('eq', [-1]))
    expect(testOf(q('id_gt', 'abcdefghij'))).toEqual(compare('gt', [-1]))
  })

  it('reads the id of a polymorphic relationship in every alphabet it may be of', () => {
    const filters = parseListQuery(
      q('about_id_eq', encodeId('shelves', 9)),
      shop.require('notes'),
      shop,
    ).filters
    const test = filters[0]?.tests[0]?.test
    expect(test).toMatchObject({
      kind: 'compare',
      values: expect.arrayContaining([{ type: 'shelves', number: 9 }]) as unknown,
    })
  })

  it.each([
    ['pieces_eq', 'x', 'an integer'],
    ['pieces_eq', '1.5', 'an integer'],
    ['pieces_eq', '', 'an integer'],
    ['pieces_in', '1,', 'an integer'],
    ['pieces_eq', '99999999999999999', 'an integer'],
    ['weight_eq', 'NaN', 'a number'],
    ['weight_eq', '1e999', 'a number'],
    ['is_fragile_eq', 'yes', 'true or false'],
    ['name_null', 'maybe', 'true or false'],
    ['is_fragile_true', '', 'true or false'],
    ['made_at_gt', 'tomorrow', 'a date'],
    ['made_at_gt', '2018-02-31', 'a date'],
    ['made_at_gt', '2018-13-01', 'a date'],
    ['made_at_gt', '2018-01-01T25:00:00Z', 'a date'],
    ['id_eq', '12', 'an id'],
    ['id_gt', 'bogus', 'an id, which is ten letters'],
    ['id_gt', '', 'an id, which is ten letters'],
    ['id_lteq', 'abcdefghijk', 'an id, which is ten letters'],
    ['id_gt', 'abcdefghi1', 'an id, which is ten letters'],
    ['shelf_id_gteq_any', 'abcdefghij,bogus', 'an id, which is ten letters'],
    ['shelf_lt', 'bogus', 'an id, which is ten letters'],
    ['metadata_jcont', '{', 'a JSON object'],
    ['metadata_jcont', '[1]', 'a JSON object'],
    ['metadata_jcont', '{"a":9007199254740993}', 'a JSON object that could be stored'],
    ['labels_jcont', '{}', 'a JSON array'],
    ['metadata_jcont', '{"a":"\\u0000"}', 'that could be stored'],
    ['metadata_jcont', '{"a":"\\ud800"}', 'that could be stored'],
    ['metadata_jcont', `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`, 'that could be stored'],
    ['name_matches', 'a\\', 'lone backslash'],
  ])('refuses %s=%s, which needs %s', (key, value, expected) => {
    expect(violationsOf(() => parse(q(key, value)))).toEqual([
      {
        code: 'invalid_filter_value',
        detail: expect.stringContaining(expected) as unknown,
        at: `filter[q][${key}]`,
      },
    ])
  })

  it('refuses more values than the limit', () => {
    const values = Array.from({ length: limits.filterValuesMax + 1 }, (_, at) => at).join(',')
    expect(violationsOf(() => parse(q('pieces_in', values)))[0]).toMatchObject({
      code: 'invalid_filter_value',
    })
    expect(parse(q('pieces_in', values.slice(2)))).toHaveLength(1)
  })
})

describe('names', () => {
  it('joins attributes by _or_ and by _and_', () => {
    const [or] = parse(q('name_or_code_cont', 'x'))
    expect(or?.combinator).toBe('or')
    expect(or?.tests.map(({ path }) => path.field.name)).toEqual(['name', 'code'])
    expect(parse(q('name_and_code_cont', 'x'))[0]?.combinator).toBe('and')
  })

  it('crosses relationships, also inside an _or_', () => {
    const [filter] = parse(q('name_or_code_or_shelf_name_start', 'x'))
    expect(filter?.tests.map(({ path }) => [path.steps.map(({ name }) => name), path.field.name])).toEqual([
      [[], 'name'],
      [[], 'code'],
      [['shelf'], 'name'],
    ])
  })

  it('crosses several relationships', () => {
    const { path } = only(q('shelf_room_name_eq', 'x'))
    expect(path.steps.map(({ name }) => name)).toEqual(['shelf', 'room'])
    expect(path.on.type).toBe('rooms')
  })

  it.each(['shelf_id_eq', 'shelf_eq'])('%s is about the id of what the relationship leads to', (key) => {
    const { path, test } = only(q(key, encodeId('shelves', 1)))
    expect([path.steps.length, path.field.kind]).toEqual([1, 'id'])
    expect(test).toEqual(compare('eq', [1]))
  })

  it('gives each attribute of one filter a value of its own kind', () => {
    const [filter] = parse(q('name_or_pieces_eq', '5'))
    expect(filter?.tests.map(({ test }) => test)).toEqual([compare('eq', ['5']), compare('eq', [5])])
  })

  it.each([
    ['unknown_eq', 'unknown'],
    ['shout_eq', 'unknown'],
    ['currency_code_eq', 'unknown'],
    ['spare_shelf_name_eq', 'unknown'],
    ['shelf_secret_note_eq', 'unknown'],
    ['name_like', 'no known predicate'],
    ['eq', 'no known predicate'],
    ['pieces_cont', 'does not apply'],
    ['is_fragile_gt', 'does not apply'],
    ['metadata_eq', 'does not apply'],
    ['name_or_code_and_colour_eq', 'cannot be mixed'],
    ['constructor_eq', 'unknown'],
    ['__proto___eq', 'unknown'],
  ])('refuses %s naming what is wrong and what is allowed', (key, expected) => {
    expect(violationsOf(() => parse(q(key, 'x')))).toEqual([
      {
        code: 'filter_not_allowed',
        detail: expect.stringContaining(expected) as unknown,
        at: `filter[q][${key}]`,
      },
    ])
  })

  it('lists what may be filtered', () => {
    expect(violationsOf(() => parse(q('nope_eq', 'x')))[0]?.detail).toContain('id, code, name, weight')
  })

  it('reads a named filter as the filter that it stands for', () => {
    expect(testOf(q('fragile', 'true'))).toEqual(compare('eq', [true]))
    expect(testOf(q('fragile', 'false'))).toEqual(compare('eq', [false]))
    const { path, test } = only(q('hidden_name_start', 'A'))
    expect([path.steps.map(({ name }) => name), path.on.type, path.field.name]).toEqual([
      ['hidden'],
      'rooms',
      'name',
    ])
    expect(test).toEqual(like(['A%']))
  })

  it('refuses what a named filter does not read, and its name with something more', () => {
    expect(violationsOf(() => parse(q('fragile', 'perhaps')))).toEqual([
      {
        code: 'invalid_filter_value',
        detail: '"filter[q][fragile]" needs true or false',
        at: 'filter[q][fragile]',
      },
    ])
    for (const key of ['hidden_name_eq', 'fragile_eq', 'fragile_or_name_eq'])
      expect(violationsOf(() => parse(q(key, 'x')))[0]).toMatchObject({ code: 'filter_not_allowed' })
    expect(violationsOf(() => parse(q('nope_eq', 'x')))[0]?.detail).toContain('fragile, hidden_name_start')
  })

  it('does not walk in circles beyond the limit', () => {
    const deep = `${'shelf_things_'.repeat(3)}name_eq`
    expect(violationsOf(() => parse(q(deep, 'x')))[0]).toMatchObject({ code: 'filter_not_allowed' })
  })
})

describe('plain filters', () => {
  it.each([
    ['filter[code]=A,B', compare('eq', ['A', 'B'])],
    ['filter[codes]=A,B', compare('eq', ['A', 'B'])],
    ['filter[is_fragile]=true', compare('eq', [true])],
    ['filter[pieces]=1', compare('eq', [1])],
    [`filter[ids]=${encodeId('things', 1)},${encodeId('things', 2)}`, compare('eq', [1, 2])],
    [`filter[id]=${encodeId('things', 1)}`, compare('eq', [1])],
    [`filter[shelf_id]=${encodeId('shelves', 1)}`, compare('eq', [1])],
    [`filter[shelf_ids]=${encodeId('shelves', 1)}`, compare('eq', [1])],
    [`filter[tags_id]=${encodeId('tags', 1)}`, compare('eq', [1])],
    ['filter[made_at_from]=2020-01-01', compare('gteq', [new Date('2020-01-01')])],
    ['filter[made_at_to]=2020-01-01', compare('lteq', [new Date('2020-01-01')])],
    ['filter[made_at]=2020-01-01', compare('eq', [new Date('2020-01-01')])],
    ['filter[metadata]={"a":1}', { kind: 'containsJson', value: { a: 1 } }],
  ])('%s', (query, expected) => {
    expect(testOf(query)).toEqual(expected)
  })

  it.each(['nope', 'shout', 'pieces_from', 'shelf_name', 'shelf', 'weights', 'shelf_room_id', '__proto__'])(
    'refuses filter[%s]',
    (name) => {
      expect(violationsOf(() => parse(`filter[${name}]=1`))).toEqual([
        {
          code: 'filter_not_allowed',
          detail: expect.stringContaining('allowed: ids, code') as unknown,
          at: `filter[${name}]`,
        },
      ])
    },
  )

  it('refuses a value that cannot be read', () => {
    expect(violationsOf(() => parse('filter[pieces]=x'))[0]).toMatchObject({ code: 'invalid_filter_value' })
  })
})

describe('syntax', () => {
  it.each([
    'filter=x',
    'filter[]=x',
    'filter[q]=x',
    'filter[q][]=x',
    'filter[q][code_eq][x]=y',
    'filter[code][eq]=x',
  ])('refuses %s', (query) => {
    expect(violationsOf(() => parse(query))).toMatchObject([{ code: 'invalid_filters_syntax' }])
  })

  it('refuses more filters than the limit', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => `filter[q][name_or_code${'_or_name'.repeat(at)}_eq]=x`)
    expect(violationsOf(() => parse(many(limits.filtersMax + 1).join('&')))).toMatchObject([
      { code: 'filter_not_allowed' },
    ])
    expect(parse(many(limits.filtersMax).join('&'))).toHaveLength(limits.filtersMax)
  })

  it('reports all violations of a request at once', () => {
    const query = 'filter[q][nope_eq]=1&filter[q][pieces_eq]=x&filter[zip]=1&filter=1'
    expect(violationsOf(() => parse(query)).map(({ code }) => code)).toEqual([
      'filter_not_allowed',
      'invalid_filter_value',
      'filter_not_allowed',
      'invalid_filters_syntax',
    ])
  })
})
