/** What the jobs of imports and exports have in common. */

/** The row that a job works on. */
export interface BulkPayload {
  readonly environmentId: number
  readonly id: number
}

/** One job for each row, however often it is enqueued. */
export const bulkKey = ({ environmentId, id }: BulkPayload): string => `${environmentId}:${id}`

/** Only an unavailable database and a killed process lead to a retry; any other error ends the import or export. */
export const BULK_RETRY_DELAYS_SECONDS = [1, 1, 5, 15, 60, 300, 900, 3_600]
