import fc from 'fast-check'
import { parseField, toLinkage, toText } from './form-values.ts'

it.each([
  ['text', 'red', 'red'],
  ['text', '', null],
  ['integer', '12', 12],
  ['cents', '-1250', -1_250],
  ['float', '0.5', 0.5],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', '', null],
  ['oneOf', 'gr', 'gr'],
  ['object', '{"a":1}', { a: 1 }],
  ['object', '', {}],
  ['list', ' a \n\nb', ['a', 'b']],
  ['list', '', []],
  ['integer', '', null],
])('sends %s "%s" as %j', (kind, text, value) => {
  expect(parseField({ kind }, text)).toEqual({ value })
})

it.each([
  ['integer', '1.5', 'must be a whole number'],
  ['cents', 'twelve', 'must be a number'],
  ['float', 'Infinity', 'must be a number'],
  ['integer', ' ', 'must be a number'],
  ['object', '[1]', 'must be an object in JSON, such as {"color": "red"}'],
  ['object', '{', expect.stringContaining('is not JSON') as unknown],
  ['instant', 'tomorrow', 'must be a date and time'],
])('says what is wrong with %s "%s"', (kind, text, problem) => {
  expect(parseField({ kind }, text)).toEqual({ problem })
})

it('gives back what was shown', () => {
  const values = fc.oneof(
    fc.record({ kind: fc.constant('integer'), value: fc.maxSafeInteger() }),
    fc.record({
      kind: fc.constant('float'),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
    }),
    fc.record({ kind: fc.constant('boolean'), value: fc.boolean() }),
    fc.record({ kind: fc.constant('text'), value: fc.string({ minLength: 1 }) }),
    fc.record({
      kind: fc.constant('object'),
      value: fc.dictionary(fc.string(), fc.jsonValue()).map((x) => JSON.parse(JSON.stringify(x)) as object),
    }),
    fc.record({
      kind: fc.constant('instant'),
      value: fc
        .date({ min: new Date('1970-01-02'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => new Date(Math.floor(date.getTime() / 1_000) * 1_000).toISOString()),
    }),
  )
  fc.assert(
    fc.property(values, ({ kind, value }) => {
      expect(parseField({ kind }, toText(kind, value))).toEqual({ value })
    }),
  )
})

it('sends relationships as identifiers', () => {
  const link = { type: 'tags', id: 'abc', name: 'Summer' }
  expect(toLinkage([link], true)).toEqual([{ type: 'tags', id: 'abc' }])
  expect(toLinkage([link], false)).toEqual({ type: 'tags', id: 'abc' })
  expect(toLinkage([], false)).toBeNull()
  expect(toLinkage([], true)).toEqual([])
})
