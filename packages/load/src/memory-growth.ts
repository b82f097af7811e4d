/** Measures whether the memory of a target grows: after garbage collections, at points spread over many requests. */
import { setTimeout } from 'node:timers/promises'
import type { Check } from './bench.ts'
import { runClosedLoop, type CallerOf } from './closed-loop.ts'
import type { Table } from './markdown-table.ts'
import type { Target } from './target.ts'

export interface MemoryPoint {
  /** Requests answered so far, warm-up left out. */
  readonly requests: number
  readonly heapUsedBytes: number
  readonly rssBytes: number
}

export interface MemoryGrowth {
  readonly points: readonly MemoryPoint[]
  /** Slopes of the lines of least squares, in bytes per 1,000 requests. */
  readonly heapSlope: number
  readonly rssSlope: number
}

export interface MemoryGrowthOptions {
  readonly target: Target
  readonly callerOf: CallerOf
  /** Default 100,000. */
  readonly requests?: number
  /** Before the first point, so that caches are full and code is compiled; default a tenth of `requests`. */
  readonly warmUpRequests?: number
  /** At least 3; default 10. */
  readonly points?: number
  /** Default 10. */
  readonly connections?: number
  /** Quiet before each point, so that timers and answers kept for a second are over. Default 1500. */
  readonly settleMs?: number
  readonly say?: (message: string) => void
}

const STRETCH_SECONDS_MAX = 60
const SETTLE_MS = 1_500
const BYTES_PER_MB = 1_048_576

/** Of the line that lies closest to the points (least squares). @throws RangeError for fewer than two points */
export const slopeOf = (points: readonly (readonly [x: number, y: number])[]): number => {
  if (points.length < 2) throw new RangeError('a slope needs at least two points')
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = mean(points.map(([x]) => x))
  const meanY = mean(points.map(([, y]) => y))
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return variance === 0 ? 0 : covariance / variance
}

/** @throws Error when more than one request in ten fails. */
export const measureMemoryGrowth = async (options: MemoryGrowthOptions): Promise<MemoryGrowth> => {
  const { target, callerOf, requests = 100_000, points: wanted = 10, connections = 10, say } = options
  const send = (requestsMax: number) =>
    runClosedLoop({ url: target.url, callerOf, connections, seconds: STRETCH_SECONDS_MAX, requestsMax })
  await send(options.warmUpRequests ?? requests / 10)
  const points: MemoryPoint[] = []
  let answered = 0
  for (let point = 0; point < wanted; point += 1) {
    answered += (await send(Math.ceil(requests / wanted))).requests
    await setTimeout(options.settleMs ?? SETTLE_MS)
    const { heapUsedBytes, rssBytes } = await target.sample(true)
    points.push({ requests: answered, heapUsedBytes, rssBytes })
    say?.(`${answered} requests: heap ${(heapUsedBytes / BYTES_PER_MB).toFixed(1)} MB after collection`)
  }
  const slope = (pick: (point: MemoryPoint) => number) =>
    slopeOf(points.map((point) => [point.requests / 1000, pick(point)]))
  return {
    points,
    heapSlope: slope(({ heapUsedBytes }) => heapUsedBytes),
    rssSlope: slope(({ rssBytes }) => rssBytes),
  }
}

export const toMemoryTable = ({ points }: MemoryGrowth): Table => ({
  columns: ['requests', 'heap used after GC, MB', 'RSS, MB'],
  rows: points.map(({ requests, heapUsedBytes, rssBytes }) => [
    requests.toString(),
    (heapUsedBytes / BYTES_PER_MB).toFixed(1),
    (rssBytes / BYTES_PER_MB).toFixed(0),
  ]),
})

/** What a heap may have grown by over the run, in the least of each half, and still be called flat. */
const GROWTH_MAX = 1.2

const leastOf = (points: readonly MemoryPoint[]): number =>
  Math.min(...points.map(({ heapUsedBytes }) => heapUsedBytes))

/**
 * Compares the least of the second half with the least of the first: what holds more and more grows in both, while
 * objects of native code that go only at a later collection make single points high.
 * @param name what was asked for, said with the check
 */
export const toMemoryCheck = (name: string, { points, heapSlope, rssSlope }: MemoryGrowth): Check => {
  const half = Math.ceil(points.length / 2)
  const [before, after] = [leastOf(points.slice(0, half)), leastOf(points.slice(half))]
  const requests = points.at(-1)?.requests ?? 0
  const slopes = `slopes: heap ${(heapSlope / 1000).toFixed(1)}, RSS ${(rssSlope / 1000).toFixed(1)} bytes a request`
  return {
    name: `${name}: the least heap of the second half at most ${GROWTH_MAX} times that of the first`,
    found: `${(after / before).toFixed(2)} over ${requests} requests (${(before / BYTES_PER_MB).toFixed(1)} MB, then ${(after / BYTES_PER_MB).toFixed(1)} MB); ${slopes}`,
    isMet: after / before <= GROWTH_MAX,
  }
}
