/** What every limiter promises; run against the memory and the Redis one. */
import type { FakeClock } from '@merx/testing/fake-clock'
import { budgetClasses, budgets } from '../src/budgets.ts'
import type { BudgetClass, Window } from '../src/budgets.ts'
import type { Limiter, LimitedRequest, LimitState } from '../src/create-limiter.ts'

export interface Subject {
  readonly limiter: Limiter
  readonly scaled: (scale: number) => Limiter
  readonly clock: FakeClock
}

const IP = '203.0.113.7'
const token: LimitedRequest = { class: 'token', mode: 'test', ip: IP, endpoint: '/oauth/token' }
const metrics: LimitedRequest = { class: 'metrics', mode: 'test', ip: IP, endpoint: '/metrics/orders/stats' }

/** How many of `count` requests in a row are allowed. */
const countAllowed = async (limiter: Limiter, request: LimitedRequest, count: number): Promise<number> => {
  let allowed = 0
  for (let sent = 0; sent < count; sent += 1) if ((await limiter.consume(request)).isAllowed) allowed += 1
  return allowed
}

/** What a sliding window means, without any cleverness. */
const naive = ({ points, seconds }: Window) => {
  const times: number[] = []
  return (nowMs: number): boolean => {
    times.push(nowMs)
    return times.filter((time) => time > nowMs - seconds * 1000).length <= points
  }
}

/** The same numbers every time (mulberry32). */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const describeBudgets = (subject: () => Subject): void => {
  const rows = budgetClasses.flatMap((name) =>
    (['test', 'live'] as const).map((mode) => [name, mode] as const),
  )

  it.each(rows)('allows %s in %s exactly its points in one instant, then none', async (name, mode) => {
    const { average, burst } = budgets[name][mode]
    const points = (burst ?? average).points
    const request = { class: name, mode, ip: IP, endpoint: '/api/one' }
    expect(await countAllowed(subject().limiter, request, points)).toBe(points)
    expect(await subject().limiter.consume(request)).toMatchObject({
      isAllowed: false,
      limit: average.points,
      intervalSeconds: 60,
      exceeded: { points, per: burst ? 'endpoint' : 'class' },
    })
  })

  it('keeps the average over all endpoints and the burst for each', async () => {
    const { limiter, clock } = subject()
    for (const endpoint of ['a', 'b', 'c', 'd']) {
      expect(await countAllowed(limiter, { ...metrics, endpoint }, 25)).toBe(25)
      clock.advance(1)
    }
    expect(await limiter.consume({ ...metrics, endpoint: 'e' })).toMatchObject({
      isAllowed: false,
      remaining: 0,
      exceeded: { points: 100, seconds: 60, per: 'class' },
    })
  })

  it('refuses one endpoint over its burst while another goes on', async () => {
    const { limiter } = subject()
    expect(await countAllowed(limiter, metrics, 26)).toBe(25)
    expect(await limiter.consume({ ...metrics, endpoint: '/metrics/orders/search' })).toMatchObject({
      isAllowed: true,
      remaining: 73, // 100 less 25 allowed, 1 refused and this one
    })
  })

  it.each<[string, Partial<LimitedRequest>]>([
    ['another address', { ip: '203.0.113.8' }],
    ['the other mode', { mode: 'live' }],
    ['another class', { class: 'write' satisfies BudgetClass }],
  ])('counts %s by itself', async (_title, other) => {
    const { limiter } = subject()
    await countAllowed(limiter, metrics, 40)
    expect(await limiter.consume({ ...metrics, ...other })).toMatchObject({ isAllowed: true })
  })

  it('multiplies every window by the scale', async () => {
    const twice = subject().scaled(2)
    expect(await twice.consume({ ...metrics, ip: '203.0.113.9' })).toMatchObject({
      limit: 200,
      remaining: 199,
    })
    expect(await countAllowed(twice, { ...metrics, ip: '203.0.113.10' }, 60)).toBe(50)
    expect(() => subject().scaled(0)).toThrow('the rate limit scale is above 0')
  })
}

const describeWindow = (subject: () => Subject): void => {
  it('frees a request exactly one window after it was made, not a millisecond earlier', async () => {
    const { limiter, clock } = subject()
    await countAllowed(limiter, token, 30)
    clock.advance(59.999)
    const early = await limiter.consume(token)
    expect(early.isAllowed).toBe(false)
    clock.advance(0.001)
    // The 30 of the start are out; the refused one still counts.
    expect(await countAllowed(limiter, token, 30)).toBe(29)
  })

  it('slides: two halves of a budget around a minute mark are not a fresh budget', async () => {
    const { limiter, clock } = subject()
    await countAllowed(limiter, token, 15)
    clock.advance(50)
    await countAllowed(limiter, token, 15)
    clock.advance(10)
    expect(await countAllowed(limiter, token, 16)).toBe(15)
  })

  it('counts refused requests: who keeps knocking stays out, who waits gets in', async () => {
    const { limiter, clock } = subject()
    await countAllowed(limiter, token, 30)
    for (let second = 0; second < 120; second += 1) {
      clock.advance(1)
      expect(await countAllowed(limiter, token, 1)).toBe(0)
    }
    clock.advance(30)
    expect((await limiter.consume(token)).isAllowed).toBe(false)
    clock.advance(31)
    expect((await limiter.consume(token)).isAllowed).toBe(true)
  })

  it('names the wait after which a request is allowed, and no longer one', async () => {
    const { limiter, clock } = subject()
    for (let sent = 0; sent < 30; sent += 1) {
      await limiter.consume(token)
      clock.advance(0.5)
    }
    const refused = await limiter.consume(token) // at 15 s; the second request was made at 0.5 s
    expect(refused).toMatchObject({ isAllowed: false, retryAfterSeconds: 46 })
    clock.advance(45.5)
    expect((await limiter.consume(token)).isAllowed).toBe(true)
  })

  it('counts down what remains and never below zero', async () => {
    const { limiter } = subject()
    const states: LimitState[] = []
    for (let sent = 0; sent < 32; sent += 1) states.push(await limiter.consume(token))
    expect(states.map((state) => state.remaining)).toEqual([
      ...Array.from({ length: 30 }, (_, i) => 29 - i),
      0,
      0,
    ])
    expect(states[0]).toMatchObject({ limit: 30, intervalSeconds: 60, retryAfterSeconds: 0 })
    expect(states[30]?.retryAfterSeconds).toBe(60)
  })

  it('allows exactly the budget to requests that arrive together', async () => {
    const { limiter } = subject()
    const states = await Promise.all(Array.from({ length: 200 }, async () => limiter.consume(token)))
    expect(states.filter((state) => state.isAllowed)).toHaveLength(30)
  })

  it('is as exact after a flood as before', async () => {
    const { limiter, clock } = subject()
    await Promise.all(Array.from({ length: 3000 }, async () => limiter.consume(token)))
    clock.advance(59.999)
    expect((await limiter.consume(token)).isAllowed).toBe(false)
    clock.advance(60)
    expect(await countAllowed(limiter, token, 31)).toBe(30)
  })

  it.each([1, 2, 3])(
    'agrees with a plain count of a thousand requests at random times (seed %i)',
    async (seed) => {
      const { limiter, clock } = subject()
      const random = seeded(seed)
      const expected = naive({ points: 30, seconds: 60 })
      const decisions: [boolean, boolean][] = []
      for (let sent = 0; sent < 1000; sent += 1) {
        clock.advance(Math.floor(random() * random() * 8000) / 1000)
        decisions.push([(await limiter.consume(token)).isAllowed, expected(clock.now().getTime())])
      }
      expect(decisions.filter(([actual, right]) => actual !== right)).toEqual([])
      expect(decisions.filter(([actual]) => actual).length).toBeGreaterThan(100)
      expect(decisions.filter(([actual]) => !actual).length).toBeGreaterThan(100)
    },
  )
}

export const describeLimiter = (title: string, subject: () => Subject): void => {
  describe(`${title}, budgets`, () => describeBudgets(subject))
  describe(`${title}, window`, () => describeWindow(subject))
}
