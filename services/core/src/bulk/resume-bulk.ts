/**
 * Enqueues a job for every unfinished import and export that has none: those of a release without the job queue, and
 * those whose job an operator removed.
 */
import type { RowOf } from '../engine/database/rows.ts'
import { defineJob } from '../jobs/define-job.ts'
import { runExport } from './exports/export-step.ts'
import { runImport } from './imports/import-step.ts'

type UnfinishedJob = Pick<RowOf<'Import'>, 'environment_id' | 'id'> & { readonly is_import: boolean }

const UNFINISHED = `
  SELECT true AS is_import, environment_id, id FROM imports WHERE status IN ('pending', 'in_progress')
  UNION ALL
  SELECT false, environment_id, id FROM exports WHERE status IN ('pending', 'in_progress')`

export const resumeBulk = defineJob({
  name: 'bulk.resume',
  cron: '* * * * *',
  retryDelaysSeconds: [],
  run: async (_payload, { run, enqueue }) => {
    for (const row of await run<UnfinishedJob>({ text: UNFINISHED, values: [] })) {
      const payload = { environmentId: row.environment_id, id: row.id }
      await enqueue(row.is_import ? runImport : runExport, payload, run)
    }
    return 'done'
  },
})
