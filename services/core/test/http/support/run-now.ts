/** Runs a job that has a time of its own now, and what it enqueues. */
import type { JobDefinition } from '../../../src/jobs/define-job.ts'
import type { TestCore } from '../../support/open-core.ts'

export const runNow = async <Payload extends object>(
  { jobs, pool }: Pick<TestCore, 'jobs' | 'pool'>,
  job: JobDefinition<Payload>,
  payload: Payload = {} as Payload,
): Promise<void> => {
  await jobs.enqueue(
    job,
    payload,
    async ({ text, values }) => (await pool.query(text, [...values])).rows as never,
  )
  await jobs.runUntilIdle()
}
