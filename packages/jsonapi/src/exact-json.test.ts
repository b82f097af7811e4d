import { parseExactJson, toExactNumber } from './exact-json.ts'

const LOST = [
  '1e500',
  '-1e500',
  '1e-400',
  '-1E-400',
  '12345678901234567890',
  '9007199254740993',
  '-9007199254740993',
  '9007199254740993.0',
  '1.2345678901234567890e19',
  '9007199254740992.5',
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
]

const KEPT = [
  '0',
  '-0',
  '0.0',
  '0e5',
  `0.${'0'.repeat(400)}`,
  '0.1',
  '19.99',
  '-3.5e-7',
  '0.30000000000000004',
  '3.14159265358979323846',
  '9007199254740991',
  '-9007199254740991',
  '9007199254740992',
  '12345678901234567000',
  '1e23',
  '1.50e+3',
  '100000000000000000000000',
  '5e-324',
  '1.7976931348623157e308',
]

describe('exact JSON', () => {
  it.each(LOST)('tells that %s would be another number', (text) => {
    const sign = text.startsWith('-') ? -1 : 1
    expect(parseExactJson(`{"a":[0.5, ${text}]}`)).toEqual({ a: [0.5, sign * Infinity] })
    expect(toExactNumber(text)).toBe(sign * Infinity)
  })

  it.each(KEPT)('keeps %s', (text) => {
    expect(parseExactJson(`{"a":[${text},1e1]}`)).toEqual({ a: [Number(text), 10] })
    expect(toExactNumber(text)).toBe(Number(text))
  })

  it('reads everything else as JSON.parse does, after numbers that are looked at twice too', () => {
    const text = '{"__proto__":1,"a":"x, 1e500","b":[null,true,{"c":" 12345678901234567890"}],"d":1e2}'
    expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)))
  })

  it('throws what JSON.parse throws', () => {
    expect(() => parseExactJson('{"a":1e500,}')).toThrow(SyntaxError)
    expect(() => parseExactJson('{"a":1e500,}')).toThrow(/position 11/)
  })

  it('reads what is nested deeper than the stack allows', () => {
    const levels = 200_000
    expect(parseExactJson(`${'['.repeat(levels)}1e500${']'.repeat(levels)}`)).toHaveLength(1)
  })
})
