import { parseInstant, parseLastInstant } from './instants.ts'
import { depthOf, valueAt } from './json-object.ts'
import { isDecimal, toDecimalText } from './numbers.ts'

describe('parseInstant', () => {
  it.each([
    ['2021-01-31T23:59:59Z', '2021-01-31T23:59:59.000Z'],
    ['2021-01-31T23:59:59.5Z', '2021-01-31T23:59:59.500Z'],
    ['2024-02-29T00:00:00.123Z', '2024-02-29T00:00:00.123Z'],
  ])('reads %s', (text, iso) => {
    expect(parseInstant(text)?.toISOString()).toBe(iso)
  })

  it.each([
    '2021-02-30T00:00:00Z',
    '2022-11-31T23:59:00Z',
    '2023-02-29T00:00:00Z',
    '2021-13-01T00:00:00Z',
    '2021-01-01T24:00:00Z',
    '2021-01-01T00:00:00',
    '2021-01-01T00:00:00+01:00',
    '2021-01-01',
    '2021-01-01 00:00:00Z',
    ' 2021-01-01T00:00:00Z',
    '',
    1_609_459_200,
    null,
  ])('refuses %j', (value) => {
    expect(parseInstant(value)).toBeUndefined()
  })
})

describe('parseLastInstant', () => {
  it.each([
    ['2021-01-31T23:59:59Z', '2021-01-31T23:59:59.999Z'],
    ['2021-01-31T23:59:59.5Z', '2021-01-31T23:59:59.500Z'],
    ['2021-01-31T23:59:59.000Z', '2021-01-31T23:59:59.000Z'],
  ])('reads %s', (text, iso) => {
    expect(parseLastInstant(text)?.toISOString()).toBe(iso)
  })

  it('refuses what is no instant', () => {
    expect(parseLastInstant('2021-02-30T00:00:00Z')).toBeUndefined()
  })
})

describe('numbers', () => {
  it.each([
    [10.3, '10.3'],
    [-0.005, '-0.005'],
    [0, '0'],
    [1e-7, '0.0000001'],
    [-1.2e-7, '-0.00000012'],
    [1e-8, '0.00000001'],
    [-0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [123456.12345678, '123456.12345678'],
    [1234567890123.4568, '1234567890123.4568'],
    [0.1 + 0.2, '0.3'],
    [-1.1 * 3, '-3.3'],
    [1.15 * 100, '115'],
  ])('%d travels as %s', (value, text) => {
    expect(isDecimal(value)).toBe(true)
    expect(toDecimalText(value)).toBe(text)
  })

  it.each([Infinity, -Infinity, NaN, 2 ** 53, '1', null, true])('%p is no number here', (value) => {
    expect(isDecimal(value)).toBe(false)
  })

  it.each([1e-9, 1.5e-8, 0.300000001, 0.123456789, 5e-324])(
    '%p has more digits than are compared',
    (value) => {
      expect(isDecimal(value)).toBe(false)
    },
  )
})

describe('JSON objects', () => {
  it('have own keys only', () => {
    expect(valueAt({}, 'constructor')).toBeUndefined()
    expect(valueAt({ constructor: 1 }, 'constructor')).toBe(1)
  })

  it('have a depth that is counted up to a limit', () => {
    expect(depthOf(1, 8)).toBe(0)
    expect(depthOf({ a: [{ b: 1 }] }, 8)).toBe(3)
    let deep: unknown = 1
    for (let index = 0; index < 100_000; index += 1) deep = [deep]
    expect(depthOf(deep, 8)).toBe(9)
  })
})
