import { integer, text } from './attributes.ts'
import { defineResource } from './define-resource.ts'
import { shelves, things } from './fixtures/shop.ts'
import { violationsOf } from './fixtures/violations.ts'
import { limits } from './limits.ts'
import { validateAttributes } from './validate-attributes.ts'
import { throwViolations, toValidationError } from './validation-errors.ts'

const create = (sent: Readonly<Record<string, unknown>>) =>
  validateAttributes(new Map(Object.entries(sent)), things, 'create')
const update = (sent: Readonly<Record<string, unknown>>) =>
  validateAttributes(new Map(Object.entries(sent)), things, 'update')

const nest = (levels: number): unknown => (levels === 0 ? 1 : { a: nest(levels - 1) })

describe('validateAttributes', () => {
  it('gives column values, renamed where the column is', () => {
    const { columns, violations } = update({
      name: 'Lamp',
      password: 'x',
      made_at: '2026-01-01',
      details: { a: 1 },
      labels: ['b'],
      weight: 1.5,
    })
    expect(violations).toEqual([])
    expect(columns).toEqual({
      name: 'Lamp',
      password_hash: 'x',
      made_at: new Date('2026-01-01'),
      details: { a: 1 },
      labels: ['b'],
      weight: 1.5,
    })
  })

  it('fills in defaults at creation and for null', () => {
    expect(create({ code: 'A' }).columns).toEqual({ code: 'A', pieces: 1, is_fragile: false, metadata: {} })
    expect(update({ is_fragile: null, metadata: null }).columns).toEqual({ is_fragile: false, metadata: {} })
    expect(update({}).columns).toEqual({})
  })

  it('stores a text in its one form', () => {
    const definition = defineResource('people', {
      summary: 'A test.',
      model: 'person',
      operations: ['create'],
      scope: 'environment',
      attributes: { email: text({ write: 'always', normalize: (value) => value.toLowerCase() }) },
    })
    const sent = new Map([['email', 'Ada@Example.COM']])
    expect(validateAttributes(sent, definition, 'create').columns['email']).toBe('ada@example.com')
  })

  it('sets null', () => {
    expect(update({ name: null, made_at: null, price_amount_cents: null }).columns).toEqual({
      name: null,
      made_at: null,
      price_amount_cents: null,
    })
  })

  it.each(['', '  ', null])('refuses %p where something is required', (code) => {
    expect(create({ code }).violations).toEqual([
      { at: { attribute: 'code' }, error: 'blank', message: "can't be blank" },
    ])
  })

  it('misses what is required at creation only', () => {
    expect(create({}).violations.map(({ at }) => at)).toEqual([{ attribute: 'code' }])
    expect(update({}).violations).toEqual([])
    expect(validateAttributes(new Map(), shelves, 'create').violations).toHaveLength(1)
  })

  it.each<[string, unknown, object]>([
    ['code', 'x', { error: 'invalid', message: 'is invalid', value: 'x' }],
    [
      'code',
      'ABCDEFGHIJK',
      { error: 'too_long', message: 'is too long (maximum is 10 characters)', count: 10 },
    ],
    ['name', 'x', { error: 'too_short', message: 'is too short (minimum is 2 characters)', count: 2 }],
    ['name', 7, { error: 'invalid', message: 'must be a string' }],
    ['name', {}, { error: 'invalid', message: 'must be a string' }],
    ['name', 'a\0b', { error: 'invalid' }],
    ['name', 'a\ud800b', { error: 'invalid' }],
    [
      'name',
      'x'.repeat(limits.textCharactersMax + 1),
      { error: 'too_long', count: limits.textCharactersMax },
    ],
    ['weight', '1', { error: 'not_a_number', message: 'is not a number' }],
    ['weight', true, { error: 'not_a_number' }],
    [
      'weight',
      Number.POSITIVE_INFINITY,
      {
        error: 'not_a_number',
        message: expect.stringMatching(/would not be kept as sent: allowed are 0, /) as unknown,
      },
    ],
    [
      'weight',
      -0.1,
      {
        error: 'greater_than_or_equal_to',
        message: 'must be greater than or equal to 0',
        value: -0.1,
        count: 0,
      },
    ],
    [
      'weight',
      100.1,
      {
        error: 'less_than_or_equal_to',
        message: 'must be less than or equal to 100',
        value: 100.1,
        count: 100,
      },
    ],
    ['pieces', 1.5, { error: 'not_an_integer', message: 'must be an integer' }],
    [
      'pieces',
      2 ** 53,
      { error: 'not_an_integer', message: 'must be an integer from -9007199254740991 to 9007199254740991' },
    ],
    [
      'price_amount_cents',
      Number.POSITIVE_INFINITY,
      { error: 'not_an_integer', message: 'must be an integer from -9007199254740991 to 9007199254740991' },
    ],
    ['pieces', 0, { error: 'greater_than_or_equal_to', count: 1 }],
    ['price_amount_cents', 10.5, { error: 'not_an_integer' }],
    ['price_amount_cents', -1, { error: 'greater_than_or_equal_to' }],
    ['is_fragile', 'true', { error: 'invalid', message: 'must be true or false' }],
    ['is_fragile', 1, { error: 'invalid' }],
    ['made_at', 'soon', { error: 'invalid', message: 'must be an ISO 8601 time' }],
    ['made_at', 1_700_000_000, { error: 'invalid' }],
    ['made_at', '2026-02-30', { error: 'invalid' }],
    ['colour', 'green', { error: 'inclusion', message: 'is not included in the list', value: 'green' }],
    ['colour', '', { error: 'inclusion' }],
    ['details', [], { error: 'invalid', message: 'must be an object' }],
    ['details', 'x', { error: 'invalid' }],
    ['details', { a: 'x'.repeat(limits.jsonCharactersMax) }, { error: 'too_long' }],
    [
      'details',
      nest(limits.jsonDepthMax + 1),
      { error: 'invalid', message: expect.stringContaining('nested') as unknown },
    ],
    [
      'details',
      { 'a\0': 1 },
      { error: 'invalid', message: expect.stringContaining('cannot be stored') as unknown },
    ],
    ['details', { a: '\ud800' }, { error: 'invalid' }],
    [
      'details',
      { a: [1, { 'b/c': Number.NEGATIVE_INFINITY }] },
      {
        error: 'invalid',
        message:
          'holds a number at /a/1/b~1c that would not be kept as sent: allowed are 0, sizes from 5e-324 to ' +
          '1.7976931348623157e+308, and whole numbers beyond 9007199254740991 only if double precision holds them ' +
          'exactly; a text keeps any digits',
      },
    ],
    ['labels', {}, { error: 'invalid', message: 'must be a list' }],
    ['labels', [Infinity], { error: 'invalid', message: expect.stringContaining('at /0 ') as unknown }],
    ['labels', [1, 2, 3, 4], { error: 'too_long', message: 'is too long (maximum is 3 items)' }],
    ['labels', [nest(limits.jsonDepthMax)], { error: 'invalid' }],
  ])('refuses %s: %p', (name, value, violation) => {
    expect(create({ code: 'A', [name]: value }).violations).toMatchObject([
      { at: { attribute: name }, ...violation },
    ])
  })

  it('keeps to itself what no answer shows, or only some do', () => {
    const accounts = defineResource('accounts', {
      summary: 'Who may come in.',
      model: 'account',
      operations: ['create'],
      scope: 'environment',
      attributes: {
        password: text({ write: 'always', min: 8, show: 'never' }),
        key: text({ write: 'always', min: 8, secret: true }),
        pin: integer({ write: 'always', min: 1_000, show: 'never' }),
        name: text({ write: 'always', min: 8, show: 'single' }),
      },
    })
    const sent = new Map<string, unknown>([
      ['password', 'secret1'],
      ['key', 'secret2'],
      ['pin', 7],
      ['name', 'Ann'],
    ])
    const { violations } = validateAttributes(sent, accounts, 'create')
    expect(violations.map((violation) => toValidationError(violation).meta)).toEqual([
      { error: 'too_short', count: 8 },
      { error: 'too_short', count: 8 },
      { error: 'greater_than_or_equal_to', count: 1_000 },
      { error: 'too_short', count: 8, value: 'Ann' },
    ])
  })

  it('accepts values at the bounds', () => {
    const bounds = {
      code: 'ABCDEFGHIJ',
      name: 'ab',
      weight: 100,
      pieces: 1,
      price_amount_cents: 0,
      labels: [1, 2, 3],
      details: nest(limits.jsonDepthMax),
    }
    expect(create(bounds).violations).toEqual([])
  })

  it('finds every violation', () => {
    expect(create({ weight: -1, pieces: 0, colour: 'x' }).violations).toHaveLength(4)
  })
})

describe('validation errors', () => {
  it('have the form clients compare', () => {
    const error = toValidationError({
      at: { attribute: 'quantity' },
      error: 'less_than_or_equal_to',
      message: 'must be less than or equal to 10',
      value: 100,
      count: 10,
    })
    expect([error.code, error.status, error.title, error.detail, error.source, error.meta]).toEqual([
      'validation_error',
      422,
      'must be less than or equal to 10',
      'quantity - must be less than or equal to 10',
      { pointer: '/data/attributes/quantity' },
      { error: 'less_than_or_equal_to', value: 100, count: 10 },
    ])
  })

  it('point to relationships, or to the resource as a whole', () => {
    expect(toValidationError({ at: { relationship: 'shelf' }, error: 'blank', message: 'm' }).source).toEqual(
      { pointer: '/data/relationships/shelf' },
    )
    expect(toValidationError({ error: 'blank', message: 'm' }).source).toEqual({ pointer: '/data' })
  })

  it.each([{ a: 1 }, ['x'], 'x'.repeat(300), null, Infinity])('do not send %p back', (value) => {
    expect(toValidationError({ error: 'invalid', message: 'm', value }).meta).toEqual({ error: 'invalid' })
  })

  it('are thrown together', () => {
    const violation = { error: 'blank', message: 'm' }
    expect(violationsOf(() => throwViolations([violation, violation]))).toHaveLength(2)
    expect(violationsOf(() => throwViolations([]))).toEqual([])
  })
})
