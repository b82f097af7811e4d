/** The background jobs of this process: enqueues them in transactions of callers, and works on them once started. */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { pause } from '@merx/telemetry/pause'
import pLimit from 'p-limit'
import type { Database } from '../engine/database/database.ts'
import type { Registry } from '../engine/registry.ts'
import type { SecretBox } from '../engine/secret-box.ts'
import type { OutsideDeps } from '../engine/write/outside-calls.ts'
import { failureJobOf } from './define-job.ts'
import type { Enqueue, JobDefinition } from './define-job.ts'
import { createDueLooker } from './due-queues.ts'
import { inTransaction, openBoss, prepareQueues } from './open-boss.ts'
import { runAttempt } from './run-attempt.ts'

export interface JobQueueOptions {
  readonly jobs: readonly JobDefinition[]
  readonly database: Pick<Database, 'pool' | 'transaction'>
  readonly registry: Registry
  readonly secretBox: Pick<SecretBox, 'open' | 'derive'>
  readonly clock: Clock
  readonly log: Logger
  /** Jobs that this process works on at once; with 0 it only enqueues. */
  readonly workers: number
  /** Makes the calls to the outside that jobs need. */
  readonly outside?: OutsideDeps
}

export interface JobQueue {
  readonly enqueue: Enqueue
  /** Looks for work now instead of after the next poll; call it after the transaction of an enqueue. */
  wake(): void
  start(): void
  /** Works on what is due, and resolves when nothing is; for tests and scripts. */
  runUntilIdle(): Promise<void>
  /** Finishes the attempts that run, and starts no others. */
  close(): Promise<void>
}

/** How often a worker fetches without having been woken (due-queues.ts). */
const POLL_SECONDS = 60
/** Before the next try to start while the database is unavailable. */
const START_AGAIN_MS = 1_000
/** Attempts that still run after this are handed back and run again elsewhere. */
const CLOSE_TIMEOUT_MS = 20_000

/** @example const jobs = createJobQueue({ jobs: [expireOrders], database, registry, secretBox, clock, log, workers: 2 }) */
export const createJobQueue = (options: JobQueueOptions): JobQueue => {
  const { jobs, database, registry, secretBox, clock, log, workers, outside } = options
  const boss = openBoss(database, log)
  const all = jobs.flatMap((job) => [job, failureJobOf(job) ?? []].flat())
  const closing = new AbortController()
  const atOnce = pLimit(Math.max(workers, 1))
  const workerIds = new Map<string, string[]>()
  let prepared: Promise<void> | undefined
  let started: Promise<void> | undefined

  const prepare = (): Promise<void> =>
    (prepared ??= prepareQueues(boss, jobs).catch((error: unknown) => {
      prepared = undefined
      throw error
    }))
  const enqueue: Enqueue = async (job, payload, run) => {
    await prepare()
    const key = job.key === undefined ? {} : { singletonKey: job.key(payload) }
    await boss.send(job.name, payload, { db: inTransaction(run), ...key })
  }
  const contextOf = () => ({ enqueue, registry, secretBox, now: clock.now(), log })
  const deps = { boss, database, contextOf, outside }
  const wake = (name: string): void => {
    for (const id of workerIds.get(name) ?? []) boss.notifyWorker(id)
  }
  const due = createDueLooker({ database, log, wake })
  const workOn = async (job: JobDefinition): Promise<void> => {
    const settings = { pollingIntervalSeconds: POLL_SECONDS, includeMetadata: true } as const
    for (let count = 0; count < workers; count += 1) {
      const id = await boss.work<object, void, typeof settings>(job.name, settings, async (batch) => {
        for (const fetched of batch) await atOnce(() => runAttempt(job, fetched, deps))
        wake(job.name)
      })
      workerIds.set(job.name, [...(workerIds.get(job.name) ?? []), id])
    }
  }
  const startWhenPossible = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await boss.start()
        await prepare()
        for (const job of all) if (!workerIds.has(job.name)) await workOn(job)
        return await due.follow()
      } catch (error) {
        log.warn({ err: error }, 'the job queue could not start; it tries again')
        await pause(START_AGAIN_MS, closing.signal)
      }
    }
  }
  return {
    enqueue,
    wake: () => {
      if (workers > 0) due.look()
    },
    start: () => {
      if (workers > 0) started ??= startWhenPossible()
    },
    runUntilIdle: async () => {
      await prepare()
      for (let isBusy = true; isBusy;) {
        isBusy = false
        for (const job of all) {
          for (const fetched of await boss.fetch<object>(job.name, { includeMetadata: true })) {
            isBusy = true
            await runAttempt(job, fetched, deps)
          }
        }
      }
    },
    close: async () => {
      closing.abort()
      await due.close()
      await started
      await boss.stop({ timeout: CLOSE_TIMEOUT_MS })
    },
  }
}
