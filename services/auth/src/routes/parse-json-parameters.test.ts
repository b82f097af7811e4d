import { parseJsonParameters } from './parse-json-parameters.ts'

describe('parameters in JSON', () => {
  it.each([
    '{}',
    '{"a":"b","c":"d"}',
    '{"a":"\\"a\\":\\"b\\"","b":"{\\"a\\":1}"}',
    '{"a":{"a":"x","b":["a","a:"]},"b":[{"a":"b"}]}',
    '{"a":1,"b":null,"c":true}',
    '{"":"","\\\\":"\\\\"}',
    '[{"a":1},{"a":2}]',
    '"text"',
    'null',
  ])('are what JSON.parse makes of %s', (text) => {
    expect(parseJsonParameters(text)).toEqual(JSON.parse(text))
  })

  it.each([
    '{"a":"x","a":"y"}',
    '{"a":"x", "a" : "y"}',
    '{"a":"x",\n"\\u0061"\n:\t"y"}',
    '{"a":1,"a":2}',
    '{"a":{"b":"]"},"a":"y"}',
    '{"b":"\\"","a":["a"],"a":"\\\\"}',
    '{"a":"x","b":1,"a":"y"}',
    '{"a":"x","a":"y","a":"z"}',
  ])('are a list when given more than once: %s', (text) => {
    expect(parseJsonParameters(text)).toMatchObject({ a: expect.any(Array) as unknown })
  })

  it('are read however many quotes and brackets there are', () => {
    const quotes = '"\\['.repeat(20_000)
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`
    const text = `{"a":${JSON.stringify(quotes)},"b":${deep},"b":"c"}`
    expect(parseJsonParameters(text)).toEqual({ a: quotes, b: ['c', 'c'] })
  })

  it.each(['', '{', '{"a":1,}'])('of no JSON are refused: %j', (text) => {
    expect(() => parseJsonParameters(text)).toThrow(SyntaxError)
  })
})
