import { spreadOf } from './spread.ts'

describe('a spread', () => {
  it.each([
    { values: [3], median: 3, min: 3, max: 3 },
    { values: [3, 1, 2], median: 2, min: 1, max: 3 },
    { values: [4, 1, 2, 10], median: 3, min: 1, max: 10 },
  ])('of $values is shown as the middle and the range', ({ values, ...spread }) => {
    expect(spreadOf(values)).toEqual(spread)
  })

  it('leaves the values in their order', () => {
    const values = [3, 1, 2]
    spreadOf(values)
    expect(values).toEqual([3, 1, 2])
  })

  it('of nothing is refused', () => {
    expect(() => spreadOf([])).toThrow('at least one value')
  })
})
