/**
 * Alternatives measured against one of them, the reference, in the same run: in turn, round after round, so that what
 * else the machine does falls on all of them alike. The ratio is taken within each round.
 */
import { runClosedLoop, type CallerOf, type ClosedLoopOptions, type Measurement } from './closed-loop.ts'
import { spreadOf, type Spread } from './spread.ts'
import type { Target } from './target.ts'

export interface Alternative {
  readonly name: string
  readonly target: Target
  readonly callerOf: CallerOf
  /** Requests per second over those of the reference, median of the rounds: at least this. */
  readonly ratioMin?: number
}

export interface CompareOptions {
  readonly name: string
  /** The first is the reference. */
  readonly alternatives: readonly [Alternative, ...Alternative[]]
  /** Default 10. */
  readonly connections?: number
  /** At least 3; default 5. */
  readonly rounds?: number
  /** Of each alternative in each round; default 3. */
  readonly roundSeconds?: number
  /** Of each alternative before the first round, so that V8 has optimized what runs often; default 3. */
  readonly warmUpSeconds?: number
  /** As of runClosedLoop. */
  readonly isAwake?: boolean
  readonly say?: (message: string) => void
}

/** One alternative in one round. */
export interface Round extends Measurement {
  readonly ratio: number
  /** Processor time of the target for each request, all threads: what a busy machine disturbs least. */
  readonly cpuMsPerRequest: number
  readonly lagP99Ms: number
  readonly rssBytes: number
}

export interface ComparedAlternative {
  readonly name: string
  readonly rounds: readonly Round[]
  readonly requestsPerSecond: Spread
  readonly p50Ms: Spread
  readonly p99Ms: Spread
  readonly cpuMsPerRequest: Spread
  readonly lagP99Ms: Spread
  readonly rssBytes: Spread
  /** Requests per second over those of the reference. */
  readonly ratio: Spread
  readonly ratioMin?: number
  /** True without a threshold. */
  readonly isMet: boolean
}

export interface Comparison {
  readonly name: string
  readonly connections: number
  readonly roundSeconds: number
  readonly alternatives: readonly ComparedAlternative[]
}

type Measured = Omit<Round, 'ratio'>

type Load = Pick<ClosedLoopOptions, 'connections' | 'seconds' | 'isAwake'>

const measure = async ({ target, callerOf }: Alternative, load: Load): Promise<Measured> => {
  const before = await target.sample()
  target.resetLag()
  const measurement = await runClosedLoop({ url: target.url, callerOf, ...load })
  const after = await target.sample()
  return {
    ...measurement,
    cpuMsPerRequest: (after.cpuMs - before.cpuMs) / Math.max(1, measurement.requests),
    lagP99Ms: after.lagP99Ms,
    rssBytes: after.rssBytes,
  }
}

const summarize = ({ name, ratioMin }: Alternative, rounds: readonly Round[]): ComparedAlternative => {
  const spread = (pick: (round: Round) => number) => spreadOf(rounds.map(pick))
  const ratio = spread((round) => round.ratio)
  return {
    name,
    rounds,
    requestsPerSecond: spread((round) => round.requestsPerSecond),
    p50Ms: spread((round) => round.p50Ms),
    p99Ms: spread((round) => round.p99Ms),
    cpuMsPerRequest: spread((round) => round.cpuMsPerRequest),
    lagP99Ms: spread((round) => round.lagP99Ms),
    rssBytes: spread((round) => round.rssBytes),
    ratio,
    ...(ratioMin === undefined ? {} : { ratioMin }),
    isMet: ratioMin === undefined || ratio.median >= ratioMin,
  }
}

/** Each round begins with another alternative. */
const measureRound = async (alternatives: readonly Alternative[], round: number, load: Load) => {
  const measured = new Map<Alternative, Measured>()
  for (let turn = 0; turn < alternatives.length; turn += 1) {
    const alternative = alternatives[(turn + round) % alternatives.length]
    if (alternative !== undefined) measured.set(alternative, await measure(alternative, load))
  }
  return measured
}

/**
 * @throws Error when an alternative fails more than one request in ten.
 * @example const comparison = await compare({ name: 'reused token', alternatives: [bare, merx] })
 */
export const compare = async (options: CompareOptions): Promise<Comparison> => {
  const {
    name,
    alternatives,
    connections = 10,
    rounds = 5,
    roundSeconds = 3,
    warmUpSeconds = 3,
    isAwake = false,
    say,
  } = options
  if (rounds < 3) throw new RangeError(`a comparison has at least 3 rounds, not ${rounds}`)
  say?.(`${name}: warming up`)
  for (const alternative of alternatives)
    await measure(alternative, { connections, seconds: warmUpSeconds, isAwake })
  const [reference] = alternatives
  const roundsOf = new Map<Alternative, Round[]>(alternatives.map((alternative) => [alternative, []]))
  for (let round = 0; round < rounds; round += 1) {
    const measured = await measureRound(alternatives, round, {
      ...{ connections, isAwake },
      seconds: roundSeconds,
    })
    const base = measured.get(reference)?.requestsPerSecond ?? NaN
    for (const [alternative, result] of measured)
      roundsOf.get(alternative)?.push({ ...result, ratio: result.requestsPerSecond / base })
    say?.(`${name}: round ${round + 1} of ${rounds}: ${describeRound(measured, base)}`)
  }
  return {
    name,
    connections,
    roundSeconds,
    alternatives: alternatives.map((alternative) => summarize(alternative, roundsOf.get(alternative) ?? [])),
  }
}

const describeRound = (measured: ReadonlyMap<Alternative, Measured>, base: number): string =>
  [...measured]
    .map(
      ([{ name }, { requestsPerSecond }]) =>
        `${name} ${Math.round(requestsPerSecond)}/s (${(requestsPerSecond / base).toFixed(2)})`,
    )
    .join(', ')
