import { sparklinePoints } from './sparkline-points.ts'

describe('the points of a sparkline', () => {
  it('go from the left edge to the right, the highest value at the top and zero at the bottom', () => {
    expect(sparklinePoints([0, 5, 10], 100, 12)).toBe('0,11 50,6 100,1')
  })

  it('are a line at the bottom when nothing was sold, and none without values', () => {
    expect(sparklinePoints([0, 0], 100, 12)).toBe('0,11 100,11')
    expect(sparklinePoints([], 100, 12)).toBe('')
  })
})
