/** Emits `order_subscriptions.renewal` once before each run, `renewal_alert_period` hours earlier. */
import { persist } from '../../engine/write/persist.ts'
import { defineJob } from '../../jobs/define-job.ts'
import { oneEnvironmentOf } from './due-rows.ts'
import type { Due } from './due-rows.ts'

const ALERTS_MAX = 200

const DUE = oneEnvironmentOf('renewal_alert_at')

/** Whom the change log names. */
const ACTOR = { application: null, owner: null }

export const alertRenewals = defineJob({
  name: 'subscriptions.alert-renewals',
  cron: '* * * * *',
  retryDelaysSeconds: [1, 5, 30],
  run: async (_payload, { run, registry, now }) => {
    const due = await run<Due>({ text: DUE, values: [now, ALERTS_MAX] })
    const [first] = due
    if (first === undefined) return 'done'
    const definition = registry.require('order_subscriptions')
    await persist(
      due.map(({ organization_id: _organization, mode: _mode, ...before }) => ({
        definition,
        before,
        columns: { renewal_alert_at: null },
        // After a run that the service missed there is nothing to announce.
        topics:
          before.next_run_at !== null && before.next_run_at > now ? ['order_subscriptions.renewal'] : [],
      })),
      { run, registry, environmentId: first.environment_id, actor: ACTOR },
    )
    return 'again'
  },
})
