import { ajv } from './ajv.ts'

describe('the one Ajv', () => {
  it.each([
    ['an unknown keyword', { type: 'object', requird: ['a'] }],
    ['an unknown format', { type: 'string', format: 'postcode' }],
    ['a keyword that does not fit the type', { type: 'string', minimum: 1 }],
    ['a schema elsewhere', { $ref: 'https://example.com/schema.json' }],
  ])('refuses %s when compiling, not when validating', (_name, schema) => {
    expect(() => ajv.compile(schema)).toThrow()
  })

  it.each([
    ['a text for a number', { type: 'integer' }, '1'],
    ['a number for a text', { type: 'string' }, 1],
    ['null for a text', { type: 'string' }, null],
    ['a single value for a list', { type: 'array' }, 'a'],
  ])('does not take %s', (_name, schema, value) => {
    expect(ajv.compile(schema)(value)).toBe(false)
  })

  it('leaves the value as it came: no defaults, nothing removed', () => {
    const value = { extra: 1 }
    const schema = { type: 'object', properties: { a: { type: 'string', default: 'x' } } }
    expect(ajv.compile(schema)(value)).toBe(true)
    expect(value).toEqual({ extra: 1 })
  })

  it.each([
    ['date-time', '2026-01-31T10:00:00Z', '2026-13-31T10:00:00Z'],
    ['date-time', '2026-01-31T10:00:00+02:00', '2026-01-31T10:00:00'],
    ['date', '2024-02-29', '2026-02-29'],
    ['email', 'jane@example.com', 'jane@'],
    ['uri', 'https://example.com/a', '/a'],
    ['uuid', '0b9bd1a4-6a3c-4f0e-9a55-0d1c2a3b4c5d', '0b9bd1a4'],
  ])('checks the format %s', (format, good, bad) => {
    const validate = ajv.compile({ type: 'string', format })
    expect([validate(good), validate(bad)]).toEqual([true, false])
  })
})
