/**
 * Enqueues a job for every unfinished import, export and cleanup that has none: those of a release without the job queue, and
 * those whose job an operator removed.
 */
import type { RowOf } from '../engine/database/rows.ts'
import { defineJob } from '../jobs/define-job.ts'
import { runCleanup } from './cleanups/cleanup-step.ts'
import { runExport } from './exports/export-step.ts'
import { runImport } from './imports/import-step.ts'

type UnfinishedJob = Pick<RowOf<'Import'>, 'environment_id' | 'id'> & {
  readonly kind: 'imports' | 'exports' | 'cleanups'
}

const UNFINISHED = `
  SELECT 'imports' AS kind, environment_id, id FROM imports WHERE status IN ('pending', 'in_progress')
  UNION ALL
  SELECT 'exports', environment_id, id FROM exports WHERE status IN ('pending', 'in_progress')
  UNION ALL
  SELECT 'cleanups', environment_id, id FROM cleanups WHERE status IN ('pending', 'in_progress')`

const JOBS = { imports: runImport, exports: runExport, cleanups: runCleanup }

export const resumeBulk = defineJob({
  name: 'bulk.resume',
  cron: '* * * * *',
  retryDelaysSeconds: [],
  run: async (_payload, { run, enqueue }) => {
    for (const row of await run<UnfinishedJob>({ text: UNFINISHED, values: [] })) {
      const payload = { environmentId: row.environment_id, id: row.id }
      await enqueue(JOBS[row.kind], payload, run)
    }
    return 'done'
  },
})
