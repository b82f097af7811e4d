/** Deletes flash notifications an hour after they were made: they are for whoever reads the record then. */
import { defineJob } from '../jobs/define-job.ts'

const NOTIFICATIONS_MAX = 1_000

/** Those that somebody writes at this moment wait for the next run. */
const DELETE_OLD = `DELETE FROM notifications AS flashes
  USING (SELECT environment_id, id FROM notifications
    WHERE flash AND created_at <= $1::timestamptz - interval '1 hour' LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
  WHERE flashes.environment_id = old.environment_id AND flashes.id = old.id
  RETURNING flashes.id`

export const deleteFlashNotifications = defineJob({
  name: 'activity.delete-flash-notifications',
  cron: '* * * * *',
  retryDelaysSeconds: [],
  run: async (_payload, { run, now }) => {
    const deleted = await run({ text: DELETE_OLD, values: [now, NOTIFICATIONS_MAX] })
    return deleted.length < NOTIFICATIONS_MAX ? 'done' : 'again'
  },
})
