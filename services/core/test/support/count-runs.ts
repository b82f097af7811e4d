/** A job whose only effect is a row that shows that it ran, and a queue that works on it. */
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { systemClock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Database } from '../../src/engine/database/database.ts'
import { createRegistry } from '../../src/engine/registry.ts'
import { defineJob } from '../../src/jobs/define-job.ts'
import type { JobDefinition } from '../../src/jobs/define-job.ts'
import { createJobQueue } from '../../src/jobs/job-queue.ts'
import type { JobQueue } from '../../src/jobs/job-queue.ts'

export const CREATE_RUNS =
  'CREATE TABLE runs (number integer NOT NULL, at timestamptz NOT NULL DEFAULT now())'

/** Without a unique key: a second execution would be a second row. */
export const countRuns = defineJob<{ readonly number: number }>({
  name: 'count.runs',
  retryDelaysSeconds: [0, 0, 0, 0, 0],
  run: async ({ number }, { run }) => {
    await run({ text: 'INSERT INTO runs (number) VALUES ($1)', values: [number] })
    return 'done'
  },
})

export const openQueue = (
  jobs: readonly JobDefinition[],
  database: Pick<Database, 'pool' | 'transaction'>,
  log: Logger,
  workers = 2,
): JobQueue =>
  createJobQueue({
    jobs,
    database,
    registry: createRegistry([], { ids: testIds }),
    clock: systemClock,
    log,
    workers,
  })
