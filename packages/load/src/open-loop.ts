/**
 * Requests at a given rate, whether or not the answers keep up, as many independent clients send them. A request's time
 * runs from when it was due: waiting for a connection counts, so nothing is hidden by a target that is slow (coordinated
 * omission).
 */
import { Pool } from 'undici'
import { createChooser } from './choose-operation.ts'
import type { Caller } from './closed-loop.ts'
import { exchange } from './exchange.ts'
import type { LoadOperation, LoadSystem } from './scenario.ts'
import { createRecorder, type Timeline } from './timeline.ts'

export interface OpenLoopOptions extends LoadSystem {
  /** Requests per second that are due at this moment of the run. */
  readonly rateAt: (second: number) => number
  readonly seconds: number
  /** Default 64. */
  readonly connections?: number
  /** Beyond it, requests are failures without being sent. Default 1000. */
  readonly inFlightMax?: number
}

const TICK_MS = 5
const DRAIN_MS = 15_000

/** Callers keep state between their requests, so each has one request under way at most. */
const createCallers = () => {
  const idle = new Map<LoadOperation, Caller[]>()
  let made = 0
  return {
    take: (operation: LoadOperation): Caller => idle.get(operation)?.pop() ?? operation.callerOf(made++),
    giveBack: (operation: LoadOperation, caller: Caller): void => {
      const callers = idle.get(operation)
      if (callers === undefined) idle.set(operation, [caller])
      else callers.push(caller)
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** @example const timeline = await runOpenLoop({ ...system, rateAt: () => 500, seconds: 60 }) */
export const runOpenLoop = async (options: OpenLoopOptions): Promise<Timeline> => {
  const { target, operations, rateAt, seconds, connections = 64, inFlightMax = 1_000 } = options
  const pool = new Pool(target.url, { connections, pipelining: 1 })
  const recorder = createRecorder()
  const callers = createCallers()
  const choose = createChooser(operations)
  const inFlight = new Set<Promise<void>>()
  const startedAt = performance.now()
  let drained: NodeJS.Timeout | undefined

  const send = async (operation: LoadOperation, second: number, dueAt: number): Promise<void> => {
    const caller = callers.take(operation)
    try {
      const answer = await exchange(pool, caller.next(), true)
      if (answer.status >= 200 && answer.status < 300)
        recorder.answer(second, operation.name, performance.now() - dueAt)
      else
        recorder.fail(second, operation.name, `status ${answer.status}: ${(answer.body ?? '').slice(0, 200)}`)
      caller.onAnswer?.(answer)
      callers.giveBack(operation, caller)
    } catch (error) {
      recorder.fail(second, operation.name, error instanceof Error ? error.message : String(error))
    }
  }

  const begin = (second: number, dueAt: number): void => {
    const operation = choose()
    recorder.offer(second, operation.name)
    if (inFlight.size >= inFlightMax) {
      recorder.fail(second, operation.name, `not sent: ${inFlightMax} requests were under way`)
      return
    }
    const sending = send(operation, second, dueAt).finally(() => inFlight.delete(sending))
    inFlight.add(sending)
  }

  const look = async (second: number): Promise<void> => {
    const { rssBytes, lagP99Ms } = await target.sample()
    target.resetLag()
    recorder.memory(second, { rssBytes, ...(lagP99Ms === undefined ? {} : { lagP99Ms }) })
  }

  try {
    await runClock({ startedAt, seconds, rateAt, begin, look })
    drained = setTimeout(() => void pool.destroy(), DRAIN_MS) // what is still under way then fails
    await Promise.all(inFlight)
    return recorder.take()
  } finally {
    clearTimeout(drained)
    await pool.destroy()
  }
}

interface LoadClock {
  readonly startedAt: number
  readonly seconds: number
  readonly rateAt: (second: number) => number
  readonly begin: (second: number, dueAt: number) => void
  readonly look: (second: number) => Promise<void>
}

/** Begins each request when it is due, as closely as timers allow, and looks at the target once a second. */
const runClock = async ({ startedAt, seconds, rateAt, begin, look }: LoadClock): Promise<void> => {
  // From the beginning: sums of whole rates stay exact, those of the clock's fractions do not.
  let dueMs = 0
  let looked = 0
  while (dueMs < seconds * 1000) {
    const elapsedMs = performance.now() - startedAt
    while (dueMs <= elapsedMs && dueMs < seconds * 1000) {
      const rate = rateAt(dueMs / 1000)
      if (rate > 0) begin(Math.floor(dueMs / 1000), startedAt + dueMs)
      dueMs += rate > 0 ? 1000 / rate : TICK_MS
    }
    const second = Math.floor(elapsedMs / 1000)
    if (second > looked) {
      looked = second
      void look(second - 1).catch(() => undefined) // the end of the target shows as failures of its requests
    }
    await pause(TICK_MS)
  }
}
