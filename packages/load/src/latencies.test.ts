import { createLatencies } from './latencies.ts'

describe('latencies', () => {
  it('are kept with three digits, below a millisecond too', () => {
    const latencies = createLatencies()
    for (let ms = 1; ms <= 1000; ms += 1) latencies.add(ms / 10)
    expect(latencies.count).toBe(1000)
    expect(latencies.percentile(50)).toBeCloseTo(50, 0)
    expect(latencies.percentile(99)).toBeCloseTo(99, 0)
    expect(latencies.maxMs).toBeCloseTo(100, 0)
    const short = createLatencies()
    short.add(0.123)
    expect(short.percentile(50)).toBeCloseTo(0.123, 3)
  })

  it('are 0 while there are none', () => {
    const latencies = createLatencies()
    expect([latencies.percentile(99), latencies.maxMs, latencies.count]).toEqual([0, 0, 0])
  })
})
