import type { Row } from '@merx/jsonapi/attributes'
import type { RowJobs } from '../jobs/row-job.ts'
import { runCleanup } from './cleanups/cleanup-step.ts'
import { runExport } from './exports/export-step.ts'
import { runImport } from './imports/import-step.ts'

const isDue = (row: Row): boolean => row['status'] === 'pending'

/** Imports, exports and cleanups have a job as long as they are not finished. */
export const bulkRowJobs: RowJobs = {
  imports: { job: runImport, isDue },
  exports: { job: runExport, isDue },
  cleanups: { job: runCleanup, isDue },
}
