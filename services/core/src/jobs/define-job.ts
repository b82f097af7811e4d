/** Declares a kind of background job: its name, its payload, the delays of its retries, and what it does. */
import type { Logger } from '@merx/telemetry/logger'
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { Registry } from '../engine/registry.ts'
import type { SecretBox } from '../engine/secret-box.ts'
import type { OutsideAnswers } from '../engine/write/outside-calls.ts'

/** `again` enqueues the same payload once more: work that is too long for one transaction is done in steps. */
export type JobOutcome = 'done' | 'again'

/** Adds a job in the caller's transaction: it exists if and only if that transaction commits. */
export type Enqueue = <Payload extends object>(
  job: JobDefinition<Payload>,
  payload: Payload,
  run: RunStatement,
) => Promise<void>

export interface JobContext {
  /**
   * Runs statements in the transaction that also completes the job. Nothing outside is called while it is open: `askOutside`
   * rolls it back, and the attempt runs again with the answer.
   */
  readonly run: RunStatement
  /** What the outside has answered to this attempt. */
  readonly answers?: OutsideAnswers
  readonly enqueue: Enqueue
  readonly registry: Registry
  /** Opens what was encrypted when the job was enqueued, and makes the secrets that calls are signed with. */
  readonly secretBox: Pick<SecretBox, 'open' | 'derive'>
  readonly now: Date
  readonly log: Logger
}

export interface JobDefinition<Payload extends object = object> {
  /** Also the name of its queue; a released name is never changed. */
  readonly name: string
  /** Seconds to wait after the first failure, after the second, and so on. After the last one the job has failed. */
  readonly retryDelaysSeconds: readonly number[]
  /** Enqueues the job with an empty payload at these times (UTC), once for all processes. */
  readonly cron?: string
  /** At most one job with this key waits or runs; enqueuing another one does nothing. */
  key?(payload: Payload): string
  /** One attempt. Its writes and the completion of the job commit together; when it throws, neither does. */
  run(payload: Payload, context: JobContext): Promise<JobOutcome>
  /** After the last attempt, in a transaction of its own: records the failure where users see it. */
  onFailed?(payload: Payload, context: JobContext): Promise<void>
}

const NAME = /^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*$/

/**
 * @throws RangeError when the name or a delay is not valid.
 * @example defineJob<{ id: number }>({ name: 'orders.expire', retryDelaysSeconds: [5, 300], run: expireOrder })
 */
export const defineJob = <Payload extends object>(job: JobDefinition<Payload>): JobDefinition<Payload> => {
  if (!NAME.test(job.name)) throw new RangeError(`"${job.name}" is not a job name; use a.b in lower case`)
  const wrong = job.retryDelaysSeconds.find((seconds) => !Number.isInteger(seconds) || seconds < 0)
  if (wrong !== undefined) throw new RangeError(`${job.name}: ${wrong} is not a delay in whole seconds`)
  return job
}

/** The job that runs `onFailed` of another one: a dead-letter queue of the library. */
export const failureJobOf = <Payload extends object>(
  job: JobDefinition<Payload>,
): JobDefinition<Payload> | undefined => {
  if (job.onFailed === undefined) return undefined
  return {
    name: `${job.name}.failed`,
    retryDelaysSeconds: [1, 5, 60, 300, 3_600],
    run: async (payload, context) => {
      await job.onFailed?.(payload, context)
      return 'done'
    },
  }
}
