/**
 * kill -9 of any service or of the analytics engine, at random moments, again and again, each started again at once: also
 * while another one starts. Each is killed at least once, however short the run. A second metrics on the same store takes
 * the ingest over when the first is killed.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@merx/local-postgres/free-port'
import { createRandom } from '../../support/random.ts'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'
import { createServiceProcess, SERVICES, type Restartable } from '../support/service-process.ts'

/** Longest time between two crashes. */
const PAUSE_MS_MAX = 3_000
const SECONDS = 30

export interface CrashesOptions {
  /** Which parts, and when; the same seed gives the same order of crashes. */
  readonly seed: number
  readonly seconds: number
}

/** `MERX_CRASHES_SEED`, otherwise another one each time, and `MERX_CRASHES_SECONDS`. */
export const readCrashesOptions = (
  env: Readonly<Record<string, string | undefined>>,
  seconds = SECONDS,
): CrashesOptions => ({
  seed: Number(env['MERX_CRASHES_SEED'] ?? Date.now() % 1_000_000_000),
  seconds: Number(env['MERX_CRASHES_SECONDS'] ?? seconds),
})

interface Crashing {
  crash(): Promise<void>
  /** @throws what kept it from starting, unless that was a crash. */
  started(): Promise<void>
}

/** What restarts a part as a container engine does, also one that was killed while it started. */
const keepRunning = (part: Restartable): Crashing => {
  let crashes = 0
  let failure: unknown
  let starting = Promise.resolve()
  const startAfter = async (previous: Promise<void>): Promise<void> => {
    await previous
    const before = crashes
    try {
      await part.start()
    } catch (error) {
      if (crashes === before) failure ??= error
    }
  }
  return {
    crash: async () => {
      crashes += 1
      await part.kill()
      starting = startAfter(starting)
    },
    started: async () => {
      await starting
      if (failure !== undefined) throw failure as Error
    },
  }
}

const openSecondMetrics = async (lab: Lab) =>
  createServiceProcess({
    name: 'metrics',
    port: await findFreePort(),
    internalPort: await findFreePort(),
    folder: lab.folder,
    env: lab.environment.metrics,
  })

/** @example const result = await runFault(lab, createCrashes({ seed: 7, seconds: 10 })) */
export const createCrashes = ({ seed, seconds }: CrashesOptions): Fault => {
  let parts: readonly Crashing[] = []
  return {
    name: 'crashes',
    title: `kill -9 of auth, core, either of two metrics or the engine, at random moments for ${seconds} seconds`,
    lastsMs: 0,
    prepare: async (lab) => {
      const second = await openSecondMetrics(lab)
      await second.start()
      const all = [...SERVICES.map((name) => lab.services[name]), second, lab.engine]
      parts = all.map(keepRunning)
      return () => second.kill()
    },
    inject: async () => {
      process.stderr.write(`faults: crashes with MERX_CRASHES_SEED=${seed}\n`)
      const random = createRandom(seed)
      const until = performance.now() + seconds * 1_000
      const untouched = random.shuffle(parts)
      while (untouched.length > 0 || performance.now() < until) {
        // Half of them meet a system that is whole, the others one in which something is still starting.
        if (random.chance(0.5)) for (const part of parts) await part.started()
        await wait(random.below(PAUSE_MS_MAX))
        await (untouched.pop() ?? random.pick(parts)).crash()
      }
    },
    repair: async () => {
      for (const part of parts) await part.started()
    },
  }
}
