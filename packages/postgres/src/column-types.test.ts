import { parseInt8, typeParserOf } from './column-types.ts'

const read = (oid: number, text: string): unknown => typeParserOf(oid, 'text')(text)

describe('column types', () => {
  it('reads int8 as a number up to the largest exact one', () => {
    expect(parseInt8('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
    expect(parseInt8('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER)
    expect(read(20, '0')).toBe(0)
  })

  it.each(['9007199254740992', '-9007199254740992', '9223372036854775807'])(
    'refuses int8 %s, which no number holds exactly',
    (text) => {
      expect(() => parseInt8(text)).toThrow(`int8 value ${text} is beyond 2^53 - 1`)
    },
  )

  it.each([
    ['numeric stays a string', 1700, '12345678901234567890.10', '12345678901234567890.10'],
    ['a date stays a string, free of time zones', 1082, '2026-01-31', '2026-01-31'],
    ['timestamptz is an instant', 1184, '2026-01-31 10:00:00.5+02', new Date('2026-01-31T08:00:00.500Z')],
    ['timestamp is UTC', 1114, '2026-01-31 10:00:00', new Date('2026-01-31T10:00:00Z')],
    ['int8 arrays hold numbers', 1016, '{1,NULL,3}', [1, null, 3]],
    ['numeric arrays hold strings', 1231, '{1.50,2}', ['1.50', '2']],
    ['json is parsed', 3802, '{"a":1}', { a: 1 }],
  ])('%s', (_title, oid, text, expected) => {
    expect(read(oid, text)).toEqual(expected)
  })
})
