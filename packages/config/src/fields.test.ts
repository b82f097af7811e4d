import type { Field } from './field.ts'
import { decimal, domain, flag, integer, oneOf, port, secret, text, url, urls } from './fields.ts'

interface Case {
  readonly field: Field<unknown>
  readonly good: Readonly<Record<string, unknown>>
  readonly bad: readonly string[]
  readonly allowed: string
}

const cases: Readonly<Record<string, Case>> = {
  text: {
    field: text(),
    good: { abc: 'abc', 'ä b': 'ä b' },
    bad: ['a'.repeat(4_097)],
    allowed: 'a text of at most 4096 characters',
  },
  'text with a pattern': {
    field: text({ pattern: /^[a-z]+$/, allowed: 'lower-case letters' }),
    good: { abc: 'abc' },
    bad: ['Abc', 'a1', ' a'],
    allowed: 'lower-case letters',
  },
  integer: {
    field: integer(),
    good: { '0': 0, '-12': -12, '007': 7 },
    bad: ['1.5', '1e3', '0x10', 'one', '1 000', 'NaN', 'Infinity', '12345678901234567890'],
    allowed: 'a whole number',
  },
  'bounded integer': {
    field: integer({ min: 1, max: 10 }),
    good: { '1': 1, '10': 10 },
    bad: ['0', '11', '-1'],
    allowed: 'a whole number, 1 or more, at most 10',
  },
  decimal: {
    field: decimal({ min: 0 }),
    good: { '0.5': 0.5, '3': 3 },
    bad: ['-0.5', '.5', '1e3', 'x'],
    allowed: 'a number, 0 or more',
  },
  port: {
    field: port(),
    good: { '0': 0, '65535': 65_535 },
    bad: ['65536', '-1', '80a'],
    allowed: 'a port, 0 to 65535',
  },
  flag: {
    field: flag(),
    good: { true: true, false: false },
    bad: ['1', 'yes', 'TRUE'],
    allowed: 'true or false',
  },
  oneOf: {
    field: oneOf(['strict', 'vendor']),
    good: { strict: 'strict' },
    bad: ['Strict', 'other', 'toString'],
    allowed: 'one of strict, vendor',
  },
  url: {
    field: url(),
    good: { 'http://x:1/y': 'http://x:1/y' },
    bad: ['x', '/x', 'http://', `http://x/${'a'.repeat(2_048)}`],
    allowed: 'a URL',
  },
  'url of some protocols': {
    field: url({ protocols: ['postgres', 'postgresql'] }),
    good: { 'postgresql://u:p@h/d': 'postgresql://u:p@h/d' },
    bad: ['mysql://u:p@h/d', 'http://h'],
    allowed: 'a URL with the protocol postgres or postgresql',
  },
  urls: {
    field: urls({ protocols: ['redis', 'rediss'] }),
    good: { 'redis://a': ['redis://a'], 'redis://a, rediss://b': ['redis://a', 'rediss://b'] },
    bad: ['redis://a,', 'redis://a,http://b', Array.from({ length: 51 }, () => 'redis://a').join(',')],
    allowed: '1 to 50 URLs separated by commas with the protocol redis or rediss',
  },
  domain: {
    field: domain(),
    good: { 'merx.localhost': 'merx.localhost', 'a-b.example': 'a-b.example' },
    bad: ['*', '*.example', 'https://x', 'x:1', '-a.example', 'a..b', `${'a'.repeat(64)}.example`],
    allowed: 'a host name without protocol, port or wildcard',
  },
}

const rows = Object.entries(cases)
const goodRows = rows.flatMap(([name, { field, good }]) =>
  Object.entries(good).map(([raw, value]) => ({ name, field, raw, value })),
)
const badRows = rows.flatMap(([name, { field, bad }]) => bad.map((raw) => ({ name, field, raw })))

describe('fields', () => {
  it.each(goodRows)('$name takes "$raw"', ({ field, raw, value }) => {
    expect(field.parse(raw)).toEqual({ ok: true, value })
  })

  it.each(badRows)('$name refuses "$raw"', ({ field, raw }) => {
    expect(field.parse(raw)).toMatchObject({ ok: false })
  })

  it.each(rows)('%s says what it allows', (_name, { field, allowed }) => {
    expect(field.allowed).toBe(allowed)
  })

  it('quote at most 60 characters of what they refuse', () => {
    expect(integer().parse('x'.repeat(1_000))).toEqual({ ok: false, reason: `is "${'x'.repeat(60)}…"` })
  })

  it.each(['not a url with hunter2', 'mysql://root:hunter2@h/d'])(
    'never quote URLs, which may hold passwords',
    (raw) => {
      for (const field of [url({ protocols: ['postgres'] }), urls({ protocols: ['redis'] })]) {
        expect(JSON.stringify(field.parse(raw))).not.toContain('hunter2')
      }
    },
  )

  it('keep lists frozen', () => {
    const parsed = urls().parse('http://a,http://b')
    expect(parsed.ok && Object.isFrozen(parsed.value)).toBe(true)
  })

  it('write their defaults as the text that parses to them', () => {
    expect(urls({ default: ['redis://a', 'redis://b'] }).defaultText).toBe('redis://a,redis://b')
    expect(port({ default: 3_001 }).defaultText).toBe('3001')
    expect(flag({ default: false }).defaultText).toBe('false')
    expect(oneOf(['info', 'debug'], { default: 'debug' }).defaultText).toBe('debug')
  })
})

describe('secret', () => {
  it('wraps what it takes', () => {
    const parsed = secret().parse('0123456789abcdef')
    expect(parsed.ok ? parsed.value.reveal() : '').toBe('0123456789abcdef')
    expect(JSON.stringify(parsed)).not.toContain('0123456789abcdef')
  })

  it.each([
    ['shorter than 16 characters', secret(), '0123456789abcde', 'has 15 characters'],
    ['shorter than its own minimum', secret({ minLength: 32 }), '0123456789abcdef', 'has 16 characters'],
    ['longer than 4,096', secret(), 'a'.repeat(4_097), 'has 4097 characters'],
  ] as const)('refuses one %s without quoting it', (_name, field, raw, reason) => {
    expect(field.parse(raw)).toEqual({ ok: false, reason })
  })
})
