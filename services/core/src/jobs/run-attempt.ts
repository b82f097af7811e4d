/**
 * One attempt of a job that was fetched: its work and its completion in one transaction. A failure is recorded with the
 * time of the next attempt.
 */
import { redactText } from '@merx/telemetry/redact'
import { failSpan, withSpan } from '@merx/telemetry/span'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Database } from '../engine/database/database.ts'
import { runIn } from '../engine/database/run-statement.ts'
import { isStoreUnavailable } from '../engine/database/store-errors.ts'
import { withOutsideCalls } from '../engine/write/outside-calls.ts'
import type { OutsideAnswers, OutsideDeps } from '../engine/write/outside-calls.ts'
import type { JobContext, JobDefinition } from './define-job.ts'
import { inTransaction } from './open-boss.ts'

export interface AttemptDeps {
  readonly boss: PgBoss
  readonly database: Pick<Database, 'transaction'>
  readonly contextOf: () => Omit<JobContext, 'run' | 'answers'>
  /** Absent where nothing is called, as in scripts. */
  readonly outside?: OutsideDeps | undefined
}

type Fetched = JobWithMetadata<object>

export const runAttempt = (job: JobDefinition, fetched: Fetched, deps: AttemptDeps): Promise<void> => {
  const attempt = fetched.retryCount + 1
  const attributes = { 'merx.job': job.name, 'merx.job.id': fetched.id, 'merx.job.attempt': attempt }
  return withSpan(`job ${job.name}`, attributes, async (span) => {
    try {
      await withOutsideCalls(deps.outside, (answers) => runAndComplete(job, fetched, answers, deps))
    } catch (error) {
      failSpan(span, error)
      await recordFailure(job, fetched, error, deps)
    }
  })
}

/** Another worker took the job over: what this one did is rolled back. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

const runAndComplete = async (
  job: JobDefinition,
  fetched: Fetched,
  answers: OutsideAnswers,
  deps: AttemptDeps,
): Promise<void> => {
  const { boss, database, contextOf } = deps
  await database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const context = { ...contextOf(), run, answers }
    // The payload is JSON that another release may have written; `run` is what judges it.
    const payload = fetched.data ?? {}
    const outcome = await job.run(payload, context)
    // Limited to the attempt that was fetched: it deletes nothing when the job was given to another worker since.
    const deleted: object = await boss.deleteJob(job.name, fetched, { db: inTransaction(run) })
    if (!('affected' in deleted) || deleted.affected !== 1)
      throw new ClaimLost(`another worker took over ${job.name} ${fetched.id}`)
    if (outcome === 'again') await context.enqueue(job, payload, run)
  })
}

const recordFailure = async (
  job: JobDefinition,
  fetched: Fetched,
  error: unknown,
  { boss, database, contextOf }: AttemptDeps,
): Promise<void> => {
  const { log } = contextOf()
  const delaySeconds = job.retryDelaysSeconds[fetched.retryCount]
  const fields = { err: error, job: job.name, job_id: fetched.id, attempt: fetched.retryCount + 1 }
  if (error instanceof ClaimLost) return log.warn(fields, 'another worker took a job over')
  if (delaySeconds === undefined) log.error(fields, 'a job failed for the last time')
  else if (isStoreUnavailable(error)) log.warn({ ...fields, delaySeconds }, 'a job waits for the database')
  else log.error({ ...fields, delaySeconds }, 'a job failed and will be repeated')
  // Without a database the claim simply ages, and the job is repeated once its heartbeat is too old.
  await database.transaction(async (transaction) => {
    const db = inTransaction(runIn(transaction))
    await boss.fail(job.name, fetched, describe(error), { db })
    if (delaySeconds === undefined) return
    await boss.update(job.name, undefined, { id: fetched.id, startAfter: delaySeconds, db })
  })
}

/** What is stored with a failed job: no values of rows, which errors of PostgreSQL carry in other members. */
const describe = (error: unknown): object =>
  error instanceof Error
    ? { name: error.name, message: redactText(error.message) }
    : { message: redactText(String(error)) }
