import { stackBars, ticksTo } from './bar-shapes.ts'

describe('bars', () => {
  const values = [
    [1, null, -3],
    [2, 4, 5],
  ]

  it('stand on each other', () => {
    const { bars, max } = stackBars(values, true)
    expect(bars.map(({ column, series, from, to }) => [column, series, from, to])).toEqual([
      [0, 0, 0, 1],
      [0, 1, 1, 3],
      [1, 1, 0, 4],
      [2, 1, 0, 5],
    ])
    expect(max).toBe(5)
  })

  it('stand beside each other, each in its place', () => {
    const { bars } = stackBars(values, false)
    expect(bars.map(({ column, part, parts, to }) => [column, part, parts, to])).toEqual([
      [0, 0, 2, 1],
      [0, 1, 2, 2],
      [1, 1, 2, 4],
      [2, 1, 2, 5],
    ])
  })
})

it.each([
  [0, [0, 0.25, 0.5, 0.75, 1]],
  [7, [0, 2, 4, 6, 8]],
  [36_000, [0, 10_000, 20_000, 30_000, 40_000]],
])('the ticks up to %d are round', (max, ticks) => {
  expect(ticksTo(max)).toEqual(ticks)
})
