/** Removes the keys of POST and PATCH requests, with their answers, once they are free again (docs/reference/idempotency.md). */
import { KEY_HOURS } from '../engine/sql/idempotency-keys.ts'
import { defineJob } from './define-job.ts'

/** So many rows that a batch takes a fraction of a second. */
const BATCH = 5_000

export const pruneIdempotencyKeys = defineJob({
  name: 'idempotency-keys.prune',
  retryDelaysSeconds: [60, 600],
  cron: '7,22,37,52 * * * *',
  run: async (_payload, { run, now }) => {
    // Of processes that died; there are few.
    await run({ text: 'DELETE FROM idempotency_claims WHERE held_until <= clock_timestamp()', values: [] })
    const removed = await run({
      text: `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM idempotency_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2))
        RETURNING 1 AS removed`,
      values: [new Date(now.getTime() - KEY_HOURS * 3_600_000), BATCH],
    })
    return removed.length < BATCH ? 'done' : 'again'
  },
})
