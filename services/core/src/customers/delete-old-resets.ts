/** Deletes password resets a day after they began: used or expired by then, they lead nowhere (docs/adr/0080-password-resets.md). */
import { defineJob } from '../jobs/define-job.ts'

const RESETS_MAX = 1_000

/** Those that somebody writes at this moment wait for the next run. */
const DELETE_OLD = `DELETE FROM customer_password_resets AS resets
  USING (SELECT environment_id, id FROM customer_password_resets
    WHERE created_at < $1::timestamptz - interval '1 day' LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
  WHERE resets.environment_id = old.environment_id AND resets.id = old.id
  RETURNING resets.id`

export const deleteOldResets = defineJob({
  name: 'customers.delete-old-resets',
  cron: '50 3 * * *',
  retryDelaysSeconds: [60, 600],
  run: async (_payload, { run, now }) => {
    const deleted = await run({ text: DELETE_OLD, values: [now, RESETS_MAX] })
    return deleted.length < RESETS_MAX ? 'done' : 'again'
  },
})
