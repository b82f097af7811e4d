import { isQuiet, summarize, type Observation } from './observations.ts'

const seen = (service: Observation['service'], at: number, outcome: Observation['outcome']): Observation => ({
  service,
  at,
  outcome,
})

describe('what users saw', () => {
  const observations = [
    seen('core', 100, 200),
    seen('auth', 150, 200),
    seen('core', 300, 503),
    seen('core', 500, 'none'),
    seen('core', 900, 201),
    seen('metrics', 950, 200),
  ]
  const sight = summarize(observations, { from: 0, repairedAt: 400, to: 1_000 })

  it('counts failures by interface and outcome', () => {
    expect([sight.requests, sight.failed]).toEqual([6, 2])
    expect(sight.failures).toEqual({ auth: {}, core: { 503: 1, none: 1 }, metrics: {} })
  })

  it('has the longest time without a good answer, edges included', () => {
    expect(sight.longestGapMs).toEqual({ auth: 850, core: 800, metrics: 950 })
  })

  it('has recovered at the last failure after the repair', () => {
    expect(sight.recoveredMs).toBe(100)
    expect(summarize(observations, { from: 0, repairedAt: 600, to: 1_000 }).recoveredMs).toBe(0)
  })

  it('is quiet only when every interface answered well, and long enough', () => {
    const now = 1_000
    const good = (['auth', 'core', 'metrics'] as const).map((name) => seen(name, now - 50, 200))
    expect(isQuiet(good, now - 200, 100, now)).toBe(true)
    expect(isQuiet(good, now - 60, 100, now)).toBe(false)
    expect(isQuiet(good.slice(1), now - 200, 100, now)).toBe(false)
    expect(isQuiet([...good, seen('core', now - 10, 503)], now - 200, 100, now)).toBe(false)
  })
})
