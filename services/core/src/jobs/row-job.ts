/** A job about one row, enqueued in the transaction that writes the row. */
import type { Row } from '@merx/jsonapi/attributes'
import type { JobDefinition } from './define-job.ts'

export interface RowPayload {
  readonly environmentId: number
  readonly id: number
}

export interface RowJob {
  readonly job: JobDefinition<RowPayload>
  /** Whether a row that was just written needs the job. */
  isDue(row: Row): boolean
}

/** Type → the job of its rows. */
export type RowJobs = Readonly<Record<string, RowJob>>

/** As `key` of a job: one job for each row, however often it is enqueued. */
export const rowKey = ({ environmentId, id }: RowPayload): string => `${environmentId}:${id}`
