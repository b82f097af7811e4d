import { systemClock } from './clock.ts'

describe('systemClock', () => {
  it('gives the time of the machine', () => {
    const before = Date.now()
    const now = systemClock.now().getTime()
    expect(now).toBeGreaterThanOrEqual(before)
    expect(now).toBeLessThanOrEqual(Date.now())
  })
})
