import { createProfile, DEFAULT_SECONDS, profileNames } from './profiles.ts'
import type { Second, Timeline } from './timeline.ts'

const CAPACITY = 100

/** A run in which `change` says what differs from a good second. */
const runOf = (
  name: (typeof profileNames)[number],
  change: (second: number, share: number) => Partial<Second> = () => ({}),
): Timeline => {
  const { seconds, shareAt } = createProfile(name, 60)
  return {
    seconds: Array.from({ length: seconds }, (_, second) => {
      const share = shareAt(second / seconds)
      const offered = CAPACITY * share
      const good = { second, offered, answered: offered, failures: 0, p50Ms: 1, p99Ms: 5 }
      return { ...good, ...change(second, share) }
    }),
    operations: [],
  }
}

const verdictsOf = (...[name, change]: Parameters<typeof runOf>) =>
  createProfile(name, 60)
    .judge(runOf(name, change), CAPACITY)
    .map(({ isMet }) => isMet)

describe('profiles', () => {
  it.each(profileNames)('%s has a length, a sentence, and shares of the capacity', (name) => {
    const { seconds, summary, shareAt } = createProfile(name)
    expect(seconds).toBe(DEFAULT_SECONDS[name])
    expect(summary).toMatch(/\.$/)
    for (const progress of [0, 0.3, 0.5, 0.99]) expect(shareAt(progress)).toBeGreaterThan(0)
  })

  it.each(profileNames)('%s is content with a run in which nothing changes', (name) => {
    expect(verdictsOf(name)).not.toContain(false)
  })

  it('soak lasts 15 minutes', () => {
    expect(createProfile('soak').seconds).toBe(900)
  })

  it('spike rises at once and comes back', () => {
    const { shareAt } = createProfile('spike', 60)
    expect([0, 0.34, 0.35, 0.59, 0.6, 0.99].map(shareAt)).toEqual([0.1, 0.1, 0.8, 0.8, 0.1, 0.1])
  })

  it('steady objects to failures', () => {
    expect(verdictsOf('steady', (second) => (second === 3 ? { failures: 10, answered: 40 } : {}))).toEqual([
      false,
      true,
    ])
  })

  it.each(['steady', 'soak'] as const)('%s objects to an end slower than the beginning', (name) => {
    expect(verdictsOf(name, (second) => ({ p99Ms: second < 20 ? 5 : 20 }))).toEqual([true, false])
  })

  it('soak objects to memory that grows', () => {
    const growing = (perSecond: number) =>
      verdictsOf('soak', (second) => ({ rssBytes: 100_000_000 + second * perSecond }))
    expect(growing(100_000)).toEqual([true, true, true])
    expect(growing(1_000_000)).toEqual([true, true, false])
  })

  it('spike objects to a target that does not recover', () => {
    expect(verdictsOf('spike', (second) => ({ p99Ms: second < 21 ? 5 : 100 }))).toEqual([true, false])
    expect(verdictsOf('spike', (second) => ({ p99Ms: second >= 21 && second < 36 ? 100 : 5 }))).toEqual([
      true,
      true,
    ])
  })

  it('day is a rush in its middle quarter', () => {
    const { shareAt } = createProfile('day')
    expect([0, 0.37, 0.375, 0.62, 0.625, 0.99].map(shareAt)).toEqual([0.3, 0.3, 1.5, 1.5, 0.3, 0.3])
  })

  it('day forgives failures in the rush, and nothing after it', () => {
    const rush = (second: number) => second >= 23 && second < 38
    const failing = { failures: 80, answered: 70 }
    expect(verdictsOf('day', (second) => (rush(second) ? failing : {}))).toEqual([true, true, true])
    expect(verdictsOf('day', (second) => (rush(second) ? { answered: 50 } : {}))).toEqual([true, false, true])
    expect(verdictsOf('day', (second) => (second > 50 ? failing : {}))).toEqual([false, true, true])
    expect(verdictsOf('day', (second) => (second > 40 ? { p99Ms: 50 } : {}))).toEqual([true, true, false])
  })

  it('breakpoint finds the last step before the first that breaks', () => {
    const breaksAt = (limit: number) =>
      createProfile('breakpoint', 60).judge(
        runOf('breakpoint', (_second, share) => (share > limit ? { answered: 0 } : {})),
        CAPACITY,
      )
    expect(breaksAt(0.75)).toMatchObject([{ found: '70 requests/s (70.0 %)', isMet: true }])
    expect(breaksAt(0.45)).toMatchObject([{ isMet: false }])
    expect(breaksAt(9)[0]?.found).toContain('never broken')
  })
})
