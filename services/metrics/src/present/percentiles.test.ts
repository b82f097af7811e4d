import { interpolate } from './percentiles.ts'

const KEYS = ['1.0', '5.0', '25.0', '50.0', '75.0', '95.0', '99.0']

/** The same two values at every percent. */
const between = (values: readonly string[], count: number) => interpolate(Array(7).fill(values), count)

it('is null for each percent where there are no values', () => {
  expect(between([], 0)).toEqual(Object.fromEntries(KEYS.map((key) => [key, null])))
})

it('is the value itself where there is one', () => {
  expect(between(['12.5'], 1)).toEqual(Object.fromEntries(KEYS.map((key) => [key, 12.5])))
})

it('lies between two values in the proportion of the position', () => {
  expect(between(['10', '20'], 2)).toEqual({
    '1.0': 10.1,
    '5.0': 10.5,
    '25.0': 12.5,
    '50.0': 15,
    '75.0': 17.5,
    '95.0': 19.5,
    '99.0': 19.9,
  })
})

it.each([
  [['0.00', '0.01'], 0.01],
  [['-0.01', '0.00'], -0.01],
  [['-0.5', '0.5'], 0],
  [['1.005', '1.005'], 1.01],
  [['0.12499998', '0.125'], 0.12],
  [['99999999999999.9999', '99999999999999.9999'], 100_000_000_000_000],
  [['9007199254740993', '9007199254740993'], 9_007_199_254_740_992], // the nearest there is
])('rounds half away from zero, exactly: the middle of %j is %d', (values, middle) => {
  expect(between(values, 2)['50.0']).toBe(middle)
})

it('refuses digits that it would lose', () => {
  expect(() => between(['0.123456789'], 1)).toThrow('0.123456789 has more than 8 digits behind the point')
})
