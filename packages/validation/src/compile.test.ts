import { compile, type Violation, type Result } from './compile.ts'

const violationsOf = (schema: object, value: unknown): readonly Violation[] => {
  const result = compile(schema)(value)
  if (result.ok) throw new Error('the value was taken')
  return result.violations
}

const summary = (schema: object, value: unknown): string[] =>
  violationsOf(schema, value).map(({ pointer, message }) => `${pointer}: ${message}`)

const person = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 3 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    'odd/key~': { type: 'boolean' },
    tags: { type: 'array', maxItems: 2, uniqueItems: true, items: { enum: ['a', 'b', 1] } },
  },
}

describe('compile', () => {
  it('gives a value of the shape typed and as it came', () => {
    const value: unknown = { name: 'Ada', age: 36 }
    const result: Result<{ name: string; age?: number }> = compile<{ name: string; age?: number }>(person)(
      value,
    )
    expect(result).toEqual({ ok: true, value: { name: 'Ada', age: 36 } })
    expect(result.ok && result.value).toBe(value)
  })

  it('reports all violations at once, each with its pointer', () => {
    const value = { nam: 'x', age: -1, 'odd/key~': 1, tags: ['a', 'c', 'a'] }
    expect(summary(person, value).sort()).toEqual([
      '/age: must be 0 or more',
      '/nam: is not a known key; allowed: name, age, odd/key~, tags',
      '/name: is required',
      '/odd~1key~0: must be of type boolean',
      '/tags/1: is not an allowed value; allowed: a, b, 1',
      '/tags: must have at most 2 items',
      '/tags: must not repeat an item',
    ])
  })

  it.each([
    ['a wrong type', { type: ['string', 'null'] }, 1, ': must be of type string, null'],
    ['a constant', { const: 'x' }, 'y', ': must be x'],
    ['too short', { type: 'string', minLength: 1 }, '', ': must have at least 1 character'],
    ['too long', { type: 'string', maxLength: 2 }, 'abc', ': must have at most 2 characters'],
    ['too few', { type: 'array', minItems: 1 }, [], ': must have at least 1 item'],
    ['too few keys', { type: 'object', minProperties: 1 }, {}, ': must have at least 1 key'],
    ['too many keys', { type: 'object', maxProperties: 1 }, { a: 1, b: 1 }, ': must have at most 1 key'],
    ['too large', { type: 'number', maximum: 9 }, 10, ': must be 9 or less'],
    ['not above', { type: 'number', exclusiveMinimum: 0 }, 0, ': must be more than 0'],
    ['not below', { type: 'number', exclusiveMaximum: 9 }, 9, ': must be less than 9'],
    ['off the grid', { type: 'number', multipleOf: 5 }, 7, ': must be a multiple of 5'],
    ['off the pattern', { type: 'string', pattern: '^[A-Z]{2}$' }, 'x', ': must match ^[A-Z]{2}$'],
    [
      'a bad instant',
      { type: 'string', format: 'date-time' },
      'now',
      ': must be an ISO 8601 date and time with offset, such as 2026-01-31T10:00:00Z',
    ],
    ['a bad host', { type: 'string', format: 'hostname' }, '-', ': must be of the format hostname'],
    [
      'an unexpected key',
      { type: 'object', additionalProperties: false },
      { a: 1 },
      '/a: is not a known key; allowed: no key is',
    ],
    ['a forbidden value', { not: { const: 1 } }, 1, ': must NOT be valid'],
  ])('says what is allowed for %s', (_name, schema, value, expected) => {
    expect(summary(schema, value)).toEqual([expected])
  })

  it('says which key makes another one required', () => {
    const schema = {
      type: 'object',
      properties: { from: { type: 'string' }, to: { type: 'string' } },
      dependencies: { from: ['to'] },
    }
    expect(summary(schema, { from: 'x' })).toEqual(['/to: is required with from'])
  })

  it('leaves out what only repeats that a part failed', () => {
    const schema = {
      type: 'object',
      if: { type: 'object', required: ['a'] },
      then: { type: 'object', required: ['b'] },
    }
    expect(summary(schema, { a: 1 })).toEqual(['/b: is required'])
  })

  it('never quotes the value, which may be a secret', () => {
    const schema = {
      type: 'object',
      properties: { password: { type: 'string', minLength: 10, pattern: '^x' } },
    }
    expect(JSON.stringify(violationsOf(schema, { password: 'hunter2' }))).not.toContain('hunter2')
  })

  it('reports at most 50 violations', () => {
    const schema = { type: 'array', items: { type: 'string' } }
    expect(
      violationsOf(
        schema,
        Array.from({ length: 80 }, (_v, index) => index),
      ),
    ).toHaveLength(50)
  })

  it('lists at most 50 allowed values', () => {
    const schema = { enum: Array.from({ length: 60 }, (_v, index) => `v${index}`) }
    expect(summary(schema, 'x')[0]).toMatch(/v49, …$/)
  })

  it('keeps keyword and parameters for those who word it themselves', () => {
    expect(violationsOf(person, { name: 'long name' })).toEqual([
      {
        pointer: '/name',
        message: 'must have at most 3 characters',
        keyword: 'maxLength',
        params: { limit: 3 },
      },
    ])
  })

  it('does not mix up the violations of two calls', () => {
    const parse = compile(person)
    const first = parse({})
    parse({ name: 'Ada' })
    expect(first).toMatchObject({ ok: false, violations: [{ pointer: '/name' }] })
  })
})
