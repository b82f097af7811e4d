/** Finds what a service can do, then runs profiles against it. */
import type { BenchContext, Check } from './bench.ts'
import { mixOf } from './choose-operation.ts'
import { runClosedLoop, type Measurement } from './closed-loop.ts'
import { runOpenLoop } from './open-loop.ts'
import { createProfile, type ProfileName } from './profiles.ts'
import type { LoadScenario, LoadSystem } from './scenario.ts'
import type { Timeline } from './timeline.ts'

export interface ProfileRun {
  readonly name: ProfileName
  readonly summary: string
  readonly timeline: Timeline
  readonly checks: readonly Check[]
}

export interface LoadResult {
  /** The mix in a closed loop: what the shares of profiles refer to. */
  readonly capacity: Measurement
  readonly mix: readonly { readonly name: string; readonly share: number }[]
  readonly runs: readonly ProfileRun[]
}

export interface RunLoadOptions {
  readonly profiles: readonly ProfileName[]
  /** Of each profile; its own default unless given. */
  readonly seconds?: number
  /** Requests per second of profiles that offer the same all the time, instead of a share of the capacity. */
  readonly rate?: number
}

/** Offer the same all the time. */
const EVEN: readonly ProfileName[] = ['steady', 'soak']
/** After these something may be left behind. */
const LONG: readonly ProfileName[] = ['soak', 'day']

const CAPACITY_CONNECTIONS = 32
const CAPACITY_SECONDS = 6
const WARM_UP_SECONDS = 6
/** How much the heap may hold after the soak, garbage collected, over what it held at its beginning. */
const HEAP_GROWTH_MAX = 1.25
const BYTES_PER_MB = 1_048_576

const findCapacity = async ({ target, operations }: LoadSystem): Promise<Measurement> => {
  const load = { url: target.url, callerOf: mixOf(operations), connections: CAPACITY_CONNECTIONS }
  await runClosedLoop({ ...load, seconds: WARM_UP_SECONDS })
  return runClosedLoop({ ...load, seconds: CAPACITY_SECONDS })
}

const heapCheck = (before: number | undefined, after: number | undefined): readonly Check[] =>
  before === undefined || after === undefined
    ? []
    : [
        {
          name: `heap after garbage collection at most ${HEAP_GROWTH_MAX} times that at the beginning`,
          found: `${(after / before).toFixed(2)} (${(before / BYTES_PER_MB).toFixed(1)} MB, then ${(after / BYTES_PER_MB).toFixed(1)} MB)`,
          isMet: after / before <= HEAP_GROWTH_MAX,
        },
      ]

const runProfile = async (
  name: ProfileName,
  system: LoadSystem,
  capacity: number,
  { seconds, rate }: Pick<RunLoadOptions, 'seconds' | 'rate'>,
): Promise<ProfileRun> => {
  const profile = createProfile(name, seconds)
  const given = EVEN.includes(name) ? rate : undefined
  const before = await system.target.sample(true)
  const timeline = await runOpenLoop({
    ...system,
    seconds: profile.seconds,
    rateAt: (second) => given ?? capacity * profile.shareAt(second / profile.seconds),
  })
  const after = await system.target.sample(true)
  const settled = LONG.includes(name) ? ((await system.settle?.()) ?? []) : []
  const checks = [...profile.judge(timeline, capacity), ...settled]
  return {
    name,
    summary: given === undefined ? profile.summary : `${given} requests/s for ${profile.seconds} s.`,
    timeline,
    checks: LONG.includes(name)
      ? [...checks, ...heapCheck(before.heapUsedBytes, after.heapUsedBytes)]
      : checks,
  }
}

/** @throws what the scenario throws when it cannot start */
export const runLoad = async (
  scenario: LoadScenario,
  { profiles, ...options }: RunLoadOptions,
  context: BenchContext,
): Promise<LoadResult> => {
  const system = await scenario.open(context)
  context.say('finding the capacity')
  const capacity = await findCapacity(system)
  context.say(`capacity ${Math.round(capacity.requestsPerSecond)} requests/s`)
  const runs: ProfileRun[] = []
  for (const name of profiles) {
    context.say(`${name} begins`)
    runs.push(await runProfile(name, system, capacity.requestsPerSecond, options))
  }
  const total = system.operations.reduce((sum, { weight }) => sum + weight, 0)
  const mix = system.operations.map(({ name, weight }) => ({ name, share: weight / total }))
  return { capacity, mix, runs }
}
