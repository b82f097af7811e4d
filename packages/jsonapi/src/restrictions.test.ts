import { house, shop, things } from './fixtures/shop.ts'
import { parseRestrictions, restrictableFields } from './restrictions.ts'

const parse = (sent: unknown) => parseRestrictions(sent, things, shop)

const valueOf = (sent: unknown) => {
  const parsed = parse(sent)
  if (!parsed.ok) throw new Error(parsed.violations.join('; '))
  return parsed.value
}

const violationsOf = (sent: unknown): readonly string[] => {
  const parsed = parse(sent)
  return parsed.ok ? [] : parsed.violations
}

describe('restrictions', () => {
  it.each([undefined, {}, { rows: {} }, { fields: {} }, { rows: {}, fields: {} }])(
    '%j restrict nothing',
    (sent) => {
      expect(valueOf(sent)).toEqual({ rows: {}, fields: {} })
    },
  )

  it('hold filters per action, over relationships too', () => {
    const { rows } = valueOf({
      rows: {
        all: { code_in: ['A', 'B'], shelf_room_name_eq: 'Attic' },
        destroy: { is_fragile_false: true },
      },
    })
    expect(rows.all?.map(({ tests }) => tests.map(({ path }) => path.field.name))).toEqual([
      ['code'],
      ['name'],
    ])
    expect(rows.all?.[0]?.tests[0]?.test).toMatchObject({ kind: 'compare', values: ['A', 'B'] })
    expect(rows.all?.[1]?.tests[0]?.path.steps.map(({ name }) => name)).toEqual(['shelf', 'room'])
    expect(rows.destroy).toHaveLength(1)
    expect(rows.read).toBeUndefined()
  })

  it.each([
    ['a text, commas and all', { name_eq: 'a,b' }, ['a,b']],
    ['a number', { pieces_eq: 3 }, [3]],
    ['a list of numbers', { pieces_in: [1, 2] }, [1, 2]],
    ['a boolean', { is_fragile_eq: true }, [true]],
  ])('compare with %s', (_name, all, values) => {
    expect(valueOf({ rows: { all } }).rows.all?.[0]?.tests[0]?.test).toMatchObject({ values })
  })

  it('compare an object by what it contains', () => {
    const { rows } = valueOf({ rows: { all: { metadata_jcont: { team: 'eu' } } } })
    expect(rows.all?.[0]?.tests[0]?.test).toEqual({ kind: 'containsJson', value: { team: 'eu' } })
  })

  it('hold the names of fields per action', () => {
    const { fields } = valueOf({
      fields: { read: ['code', 'price_amount_cents', 'shelf'], update: ['_disable', 'tags'], create: [] },
    })
    expect(fields).toEqual({
      read: new Set(['code', 'price_amount_cents', 'shelf']),
      update: new Set(['_disable', 'tags']),
      create: new Set(),
    })
  })
})

describe('faulty restrictions', () => {
  it.each([
    ['a list', [], /^restrictions must be an object with rows, fields$/],
    ['null', null, /^restrictions must be an object/],
    ['another key', { row: {} }, /^restrictions has no "row"; allowed: rows, fields$/],
    [
      'another action',
      { rows: { list: {} } },
      /^rows has no "list"; allowed: all, create, read, update, destroy$/,
    ],
    ['rows that are a list', { rows: { all: [] } }, /^rows\.all must be an object of filters/],
    ['no filter at all', { rows: { all: {} } }, /^rows\.all has no filter/],
    [
      'an unknown field',
      { rows: { all: { colours_eq: 'red' } } },
      /^rows\.all: things cannot be filtered by "colours_eq"/,
    ],
    [
      'a field that cannot be filtered',
      { rows: { all: { manual_eq: 'x' } } },
      /"manual" is unknown; allowed: id, code/,
    ],
    ['no predicate', { rows: { all: { code: 'A' } } }, /ends in no known predicate/],
    [
      'a value of the wrong kind',
      { rows: { all: { pieces_eq: 'many' } } },
      /"rows\.all\.pieces_eq" needs an integer$/,
    ],
    ['null as a value', { rows: { all: { code_eq: null } } }, /^rows\.all\.code_eq must be a text/],
    ['an empty list', { rows: { all: { code_in: [] } } }, /^rows\.all\.code_in must be/],
    ['a comma in a list', { rows: { all: { code_in: ['A,B'] } } }, /^rows\.all\.code_in must be/],
    ['a NUL byte', { rows: { all: { code_eq: 'a\0' } } }, /^rows\.all\.code_eq must be/],
    [
      'too many filters',
      { rows: { all: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`code_eq${n}`, 'x'])) } },
      /at most 50 filters/,
    ],
    [
      'fields of destroy',
      { fields: { destroy: ['code'] } },
      /^fields has no "destroy"; allowed: create, read, update$/,
    ],
    [
      'fields that are a text',
      { fields: { read: 'code' } },
      /^fields\.read must be a list of at most \d+ names$/,
    ],
    [
      'an unknown name',
      { fields: { read: ['cod'] } },
      /^fields\.read: "cod" is no field of things that is returned; allowed: code, name/,
    ],
    ['a name never returned', { fields: { read: ['password'] } }, /"password" is no field/],
    [
      'a name only sent at creation',
      { fields: { update: ['code'] } },
      /is no field of things that is sent when it is updated/,
    ],
    [
      'a name only sent at updates',
      { fields: { create: ['_enable'] } },
      /is no field of things that is sent when it is created/,
    ],
  ])('%s', (_name, sent, violation) => {
    const violations = violationsOf(sent)
    expect(violations).toHaveLength(1)
    expect(violations[0]).toMatch(violation)
  })

  it('are all named at once', () => {
    expect(
      violationsOf({
        rows: { all: { x_eq: 1 }, read: { pieces_eq: 'x' } },
        fields: { read: ['y'], update: 1 },
        z: 1,
      }),
    ).toHaveLength(5)
  })

  it('restrict the rows of what there is one of', () => {
    expect(parseRestrictions({ rows: { all: { id_eq: 'a' } } }, house, shop)).toEqual({
      ok: false,
      violations: ['rows of houses cannot be restricted: there is one'],
    })
  })
})

describe('restrictable fields', () => {
  it.each([
    [
      'create',
      ['code', 'name', '_disable', 'shelf', 'metadata'],
      ['_enable', 'shout', 'disabled_at', 'notes'],
    ],
    ['update', ['_enable', '_disable', 'name', 'shelf', 'tags'], ['code', 'spare_shelf', 'shout']],
    ['read', ['code', 'shout', 'stock', 'notes', 'created_at'], ['password', '_disable']],
  ] as const)('of %s', (key, some, none) => {
    const names = restrictableFields(things, key)
    expect(names).toEqual(expect.arrayContaining([...some]))
    for (const name of none) expect(names).not.toContain(name)
  })
})
