import { singleFlight } from './single-flight.ts'

describe('singleFlight', () => {
  it('shares one call and its result, also among callers that come before it ends', async () => {
    let calls = 0
    const load = singleFlight(async () => {
      calls += 1
      return calls
    })
    expect(await Promise.all([load(), load()])).toEqual([1, 1])
    expect(await load()).toBe(1)
  })

  it('calls again after a failure', async () => {
    let calls = 0
    const load = singleFlight(async () => {
      calls += 1
      if (calls === 1) throw new Error('unavailable')
      return calls
    })
    await expect(load()).rejects.toThrow('unavailable')
    expect(await load()).toBe(2)
    expect(await load()).toBe(2)
  })
})
