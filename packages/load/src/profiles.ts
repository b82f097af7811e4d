/** How the rate goes over time, as shares of what the target can do, and what must hold: always ratios. */
import type { Check } from './bench.ts'
import { summarize, type Second, type Timeline } from './timeline.ts'

export const profileNames = ['steady', 'spike', 'breakpoint', 'soak', 'day'] as const
export type ProfileName = (typeof profileNames)[number]

export interface Profile {
  readonly summary: string
  readonly seconds: number
  /** Share of the capacity at a moment, 0 <= `progress` < 1 of the whole run. */
  readonly shareAt: (progress: number) => number
  /** What is found in the timeline; `capacity` is in requests per second. */
  readonly judge: (timeline: Timeline, capacity: number) => readonly Check[]
}

/** Of all requests offered, those without a good answer. */
const FAILURE_SHARE_MAX = 0.001
/** How much slower the end may be than the beginning, at the same rate. */
const SLOWDOWN_MAX = 3
/**
 * What the process holds at least in the last third, over what it held at most in the first: resident memory goes up and
 * down with garbage collection and peaks, and only what does not come down again has grown.
 */
const RSS_GROWTH_MAX = 1.1
const BYTES_PER_MB = 1_048_576
const SPIKE_BEGINS = 0.35
const SPIKE_ENDS = 0.6
const SPIKE_SHARE = 0.8
/** Of a day: how much more than there is capacity for is asked in its middle, for a quarter of it. */
const RUSH_SHARE = 1.5
const RUSH_BEGINS = 0.375
const RUSH_ENDS = 0.625
/** Of the capacity, what is still answered well meanwhile. */
const RUSH_ANSWERED_MIN = 0.6
const BREAKPOINT_FIRST = 0.3
const BREAKPOINT_STEP = 0.1
const BREAKPOINT_STEPS = 12
/** Of the capacity found in a closed loop, what an open one must sustain. */
const SUSTAINED_SHARE_MIN = 0.6
const ANSWERED_SHARE_MIN = 0.95
const BREAKPOINT_SLOWDOWN_MAX = 30

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.01 ? 3 : 1)} %`

const part = (seconds: readonly Second[], from: number, to: number): readonly Second[] =>
  seconds.slice(Math.floor(seconds.length * from), Math.max(1, Math.ceil(seconds.length * to)))

const failuresCheck = ({ seconds, failure }: Timeline): Check => {
  const { offered, failures } = summarize(seconds)
  const share = failures / Math.max(1, offered)
  const first = failure === undefined ? '' : `; the first: ${failure}`
  return {
    name: `failures are at most ${percent(FAILURE_SHARE_MAX)} of the requests`,
    found: `${failures} of ${offered} (${percent(share)})${first}`,
    isMet: share <= FAILURE_SHARE_MAX,
  }
}

const slowdownCheck = (name: string, before: readonly Second[], after: readonly Second[]): Check => {
  const [first, last] = [summarize(before), summarize(after)]
  const ratio = last.p99Ms / Math.max(0.1, first.p99Ms)
  return {
    name: `${name}: p99 at most ${SLOWDOWN_MAX} times`,
    found: `${ratio.toFixed(2)} (${first.p99Ms.toFixed(1)} ms, then ${last.p99Ms.toFixed(1)} ms)`,
    isMet: ratio <= SLOWDOWN_MAX,
  }
}

const residentCheck = (seconds: readonly Second[]): readonly Check[] => {
  const heldIn = (some: readonly Second[]) => some.flatMap(({ rssBytes }) => rssBytes ?? [])
  const first = Math.max(...heldIn(part(seconds, 0, 1 / 3)))
  const last = Math.min(...heldIn(part(seconds, 2 / 3, 1)))
  if (!Number.isFinite(first) || !Number.isFinite(last)) return []
  const inMegabytes = (bytes: number): string => `${(bytes / BYTES_PER_MB).toFixed(0)} MB`
  return [
    {
      name: `least resident memory of the last third at most ${RSS_GROWTH_MAX} times the most of the first`,
      found: `${(last / first).toFixed(2)} (${inMegabytes(first)}, then ${inMegabytes(last)})`,
      isMet: last / first <= RSS_GROWTH_MAX,
    },
  ]
}

const steady = (seconds: number, share: number): Profile => ({
  summary: `${percent(share)} of the capacity for ${seconds} s.`,
  seconds,
  shareAt: () => share,
  judge: (timeline) => [
    failuresCheck(timeline),
    slowdownCheck(
      'last third against first third',
      part(timeline.seconds, 0, 1 / 3),
      part(timeline.seconds, 2 / 3, 1),
    ),
  ],
})

const soak = (seconds: number): Profile => {
  const profile = steady(seconds, 0.3)
  return {
    ...profile,
    judge: (timeline, capacity) => [...profile.judge(timeline, capacity), ...residentCheck(timeline.seconds)],
  }
}

const spike = (seconds: number): Profile => ({
  summary: `10 % of the capacity, at once ${percent(SPIKE_SHARE)}, and back.`,
  seconds,
  shareAt: (progress) => (progress >= SPIKE_BEGINS && progress < SPIKE_ENDS ? SPIKE_SHARE : 0.1),
  judge: (timeline) => [
    failuresCheck(timeline),
    slowdownCheck(
      'after the spike against before',
      part(timeline.seconds, 0.05, SPIKE_BEGINS),
      part(timeline.seconds, SPIKE_ENDS + 0.1, 1),
    ),
  ],
})

const day = (length: number): Profile => ({
  summary: `30 % of the capacity for ${length} s, ${percent(RUSH_SHARE)} in the middle quarter of it.`,
  seconds: length,
  shareAt: (progress) => (progress >= RUSH_BEGINS && progress < RUSH_ENDS ? RUSH_SHARE : 0.3),
  judge: ({ seconds: all, failure }, capacity) => {
    const [morning, rush] = [part(all, 0, RUSH_BEGINS), part(all, RUSH_BEGINS, RUSH_ENDS)]
    const evening = part(all, RUSH_ENDS + 0.05, 1)
    const seconds = [...morning, ...evening]
    const hasFailed = seconds.some(({ failures }) => failures > 0)
    const calm = { seconds, operations: [], ...(hasFailed && failure !== undefined ? { failure } : {}) }
    const answered = summarize(rush).answered / Math.max(1, rush.length)
    return [
      failuresCheck(calm),
      {
        name: `in the rush at least ${percent(RUSH_ANSWERED_MIN)} of the capacity is answered well`,
        found: `${Math.round(answered)} requests/s (${percent(answered / capacity)})`,
        isMet: answered / capacity >= RUSH_ANSWERED_MIN,
      },
      slowdownCheck('after the rush against before', morning, evening),
      ...residentCheck(all),
    ]
  },
})

const isSustained = (seconds: readonly Second[], calm: readonly Second[]): boolean => {
  const { offered, answered, p99Ms } = summarize(seconds)
  return (
    answered >= offered * ANSWERED_SHARE_MIN &&
    p99Ms <= Math.max(0.1, summarize(calm).p99Ms) * BREAKPOINT_SLOWDOWN_MAX
  )
}

const breakpoint = (seconds: number): Profile => ({
  summary: `From ${percent(BREAKPOINT_FIRST)} of the capacity up in steps of ${percent(BREAKPOINT_STEP)}: a step is sustained when ${percent(ANSWERED_SHARE_MIN)} are answered well and p99 is at most ${BREAKPOINT_SLOWDOWN_MAX} times that of the first.`,
  seconds,
  shareAt: (progress) => BREAKPOINT_FIRST + BREAKPOINT_STEP * Math.floor(progress * BREAKPOINT_STEPS),
  judge: ({ seconds: all }, capacity) => {
    const steps = Array.from({ length: BREAKPOINT_STEPS }, (_, step) =>
      part(all, step / BREAKPOINT_STEPS, (step + 1) / BREAKPOINT_STEPS),
    )
    const failed = steps.findIndex((step) => !isSustained(step, steps[0] ?? []))
    const sustained = steps[(failed === -1 ? steps.length : failed) - 1] ?? []
    const { perSecond } = summarize(sustained)
    return [
      {
        name: `sustains at least ${percent(SUSTAINED_SHARE_MIN)} of the capacity of a closed loop`,
        found: `${Math.round(perSecond)} requests/s (${percent(perSecond / capacity)})${failed === -1 ? ', never broken' : ''}`,
        isMet: perSecond / capacity >= SUSTAINED_SHARE_MIN,
      },
    ]
  },
})

/** Default seconds of each profile. */
export const DEFAULT_SECONDS: Readonly<Record<ProfileName, number>> = {
  steady: 40,
  spike: 40,
  breakpoint: 60,
  soak: 900,
  day: 2_400,
}

/** @example const { shareAt, judge } = createProfile('spike', 40) */
export const createProfile = (name: ProfileName, seconds = DEFAULT_SECONDS[name]): Profile => {
  switch (name) {
    case 'steady':
      return steady(seconds, 0.5)
    case 'spike':
      return spike(seconds)
    case 'breakpoint':
      return breakpoint(seconds)
    case 'soak':
      return soak(seconds)
    case 'day':
      return day(seconds)
  }
}
