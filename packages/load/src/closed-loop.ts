/** Closed-loop load: each connection sends its next request when the last one was answered. */
import { Client } from 'undici'
import { exchange, type LoadAnswer, type LoadRequest } from './exchange.ts'
import { createLatencies } from './latencies.ts'

/** What one connection sends. It may keep state between its requests, such as the token it was just given. */
export interface Caller {
  next(): LoadRequest
  /** Called with each answer and its body, before the next request. */
  onAnswer?(answer: LoadAnswer): void
}

/** @param connection 0, 1, 2… */
export type CallerOf = (connection: number) => Caller

/** Every connection sends this request, again and again. */
export const always =
  (request: LoadRequest): CallerOf =>
  () => ({ next: () => request })

/** What is said of one stretch of load. Failures (no answer, or a status other than 2xx) are not counted as requests. */
export interface Measurement {
  readonly seconds: number
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly failures: number
  /** The first failure, in words. */
  readonly failure?: string
}

export interface ClosedLoopOptions {
  readonly url: string
  readonly callerOf: CallerOf
  readonly connections: number
  /** At most this long … */
  readonly seconds: number
  /** … and at most this many requests. */
  readonly requestsMax?: number
  /**
   * This process looks for answers instead of sleeping until there is one. To wake a sleeper on another core costs a target
   * up to a sixth of what it does for a small request, but only one that is slow enough to let the caller sleep. It keeps
   * one core busy, so it is for targets that answer on one thread.
   */
  readonly isAwake?: boolean
}

const stayAwake = (): { readonly end: () => void } => {
  let turn = setImmediate(function again() {
    turn = setImmediate(again)
  })
  return { end: () => clearImmediate(turn) }
}

const isGood = ({ status }: LoadAnswer): boolean => status >= 200 && status < 300

const describeFailure = (answer: LoadAnswer): string =>
  `status ${answer.status}: ${(answer.body ?? '').slice(0, 300)}`

/** @throws Error when more than one request in ten fails: what is measured then is not what was meant. */
export const runClosedLoop = async (options: ClosedLoopOptions): Promise<Measurement> => {
  const { url, callerOf, connections, seconds, requestsMax = Infinity, isAwake = false } = options
  const latencies = createLatencies()
  let failures = 0
  let failure: string | undefined
  let sent = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000

  const fail = (reason: string): void => {
    failures += 1
    failure ??= reason
  }

  const converse = async (connection: number): Promise<void> => {
    const client = new Client(url, { pipelining: 1 })
    const caller = callerOf(connection)
    try {
      while (performance.now() < endsAt && sent < requestsMax) {
        sent += 1
        const begunAt = performance.now()
        const answer = await exchange(client, caller.next(), caller.onAnswer !== undefined)
        if (isGood(answer)) latencies.add(performance.now() - begunAt)
        else fail(describeFailure(answer))
        caller.onAnswer?.(answer)
      }
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error))
    } finally {
      await client.destroy()
    }
  }

  const awake = isAwake ? stayAwake() : undefined
  await Promise.all(Array.from({ length: connections }, (_, connection) => converse(connection)))
  awake?.end()
  const took = (performance.now() - startedAt) / 1000
  if (failures > latencies.count / 10)
    throw new Error(`${failures} of ${sent} requests failed; the first: ${failure ?? ''}`)
  return {
    seconds: took,
    requests: latencies.count,
    requestsPerSecond: latencies.count / took,
    p50Ms: latencies.percentile(50),
    p99Ms: latencies.percentile(99),
    maxMs: latencies.maxMs,
    failures,
    ...(failure === undefined ? {} : { failure }),
  }
}
