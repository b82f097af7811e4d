import { slopeOf, toMemoryCheck, toMemoryTable, type MemoryGrowth } from './memory-growth.ts'

const growthOf = (bytesPerRequest: number): MemoryGrowth => {
  const points = Array.from({ length: 10 }, (_, index) => ({
    requests: (index + 1) * 10_000,
    heapUsedBytes: 50_000_000 + bytesPerRequest * (index + 1) * 10_000,
    rssBytes: 100_000_000,
  }))
  const heapSlope = slopeOf(points.map(({ requests, heapUsedBytes }) => [requests / 1000, heapUsedBytes]))
  return { points, heapSlope, rssSlope: 0 }
}

describe('the slope', () => {
  it.each([
    { points: [[0, 1] as const, [1, 3] as const, [2, 5] as const], slope: 2 },
    { points: [[0, 5] as const, [10, 5] as const], slope: 0 },
    { points: [[0, 4] as const, [1, 2] as const], slope: -2 },
    { points: [[1, 1] as const, [1, 9] as const], slope: 0 },
  ])('of $points is $slope', ({ points, slope }) => {
    expect(slopeOf(points)).toBeCloseTo(slope)
  })

  it('of one point is refused', () => {
    expect(() => slopeOf([[1, 1]])).toThrow(RangeError)
  })
})

describe('memory', () => {
  it.each([
    { bytes: 0, isMet: true, ratio: '1.00' },
    { bytes: 100, isMet: true, ratio: '1.10' },
    { bytes: 300, isMet: false, ratio: '1.28' },
    { bytes: -20, isMet: true, ratio: '0.98' },
  ])('that grows by $bytes bytes a request is judged', ({ bytes, isMet, ratio }) => {
    const check = toMemoryCheck('reused', growthOf(bytes))
    expect(check).toMatchObject({ isMet })
    expect(check.found).toMatch(new RegExp(`^${ratio} over 100000 requests`))
    expect(check.found).toContain(`heap ${bytes.toFixed(1)},`)
  })

  it('that is high at single points is no growth', () => {
    const { points, ...slopes } = growthOf(0)
    const spiky = points.map((point, index) => ({
      ...point,
      heapUsedBytes: point.heapUsedBytes * (index % 2 === 0 ? 1 : 2),
    }))
    expect(toMemoryCheck('fresh', { points: spiky, ...slopes })).toMatchObject({ isMet: true })
  })

  it('is shown point by point', () => {
    const { columns, rows } = toMemoryTable(growthOf(0))
    expect(columns).toHaveLength(3)
    expect(rows).toHaveLength(10)
    expect(rows[0]).toEqual(['10000', '47.7', '95'])
  })
})
