/** pg-boss on the connection pool of the service, in the schema `jobs` that the migrations create. */
import type { Logger } from '@merx/telemetry/logger'
import { PgBoss } from 'pg-boss'
import type { Db } from 'pg-boss'
import type { Database } from '../engine/database/database.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import { isStoreUnavailable } from '../engine/database/store-errors.ts'
import type { JobDefinition } from './define-job.ts'
import { failureJobOf } from './define-job.ts'

/** A worker whose heartbeat is older than this is dead: the shortest that pg-boss allows. */
const HEARTBEAT_SECONDS = 10
/** How often dead workers are looked for. */
const SUPERVISE_SECONDS = 5
/** An attempt that runs longer is aborted and counts as failed. */
const EXPIRE_SECONDS = 300
/** Failed jobs stay visible this long; jobs that succeeded leave no row. */
const FAILED_KEPT_SECONDS = 30 * 24 * 3_600

export const JOBS_SCHEMA = 'jobs'

/** Statements of the library in the caller's transaction. */
export const inTransaction = (run: RunStatement): Db => ({
  executeSql: async (text, values = []) => ({ rows: [...(await run({ text, values }))] }),
})

/** @param error of its workers pg-boss gives a copy that is no Error */
export const logQueueError = (log: Logger, error: unknown): void => {
  const err = error instanceof Error ? error : Object.assign(new Error('of pg-boss'), error)
  if (isStoreUnavailable(err)) log.warn({ err }, 'the job queue waits for the database')
  else log.error({ err }, 'the job queue failed')
}

/** It has no timers and no workers until it is started. */
export const openBoss = ({ pool }: Pick<Database, 'pool'>, log: Logger): PgBoss => {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: JOBS_SCHEMA,
    migrate: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    registerInstance: false,
    // Spans of jobs follow the sampling of everything else: run-attempt.ts.
    openTelemetry: { enabled: false },
  })
  boss.on('error', (error) => logQueueError(log, error))
  boss.on('warning', ({ message, data }) => log.warn({ data }, `job queue: ${message}`))
  return boss
}

/** Creates the queue of each job, or gives it the settings of this release, and the schedules of those with `cron`. */
export const prepareQueues = async (boss: PgBoss, jobs: readonly JobDefinition[]): Promise<void> => {
  for (const job of jobs) {
    const failure = failureJobOf(job)
    if (failure !== undefined) await prepareQueue(boss, failure)
    await prepareQueue(boss, job, failure)
  }
  const scheduled = await boss.getSchedules()
  const crons = jobs.filter(({ cron }) => cron !== undefined)
  for (const { name } of scheduled) {
    if (!crons.some((job) => job.name === name)) await boss.unschedule(name)
  }
  for (const { name, cron = '' } of crons) await boss.schedule(name, cron, {}, { tz: 'UTC' })
}

const prepareQueue = async (boss: PgBoss, job: JobDefinition, failure?: JobDefinition): Promise<void> => {
  const settings = {
    retryLimit: job.retryDelaysSeconds.length,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: FAILED_KEPT_SECONDS,
    ...(failure === undefined ? {} : { deadLetter: failure.name }),
  }
  await boss.createQueue(job.name, { ...settings, policy: job.key === undefined ? 'standard' : 'exclusive' })
  await boss.updateQueue(job.name, settings)
}
