/** Deletes carts of nobody that were not touched for two months (commerce.md 1.4); money that moved is never deleted. */
import type { RowOf } from '../../engine/database/rows.ts'
import { persist } from '../../engine/write/persist.ts'
import { release } from '../../inventory/reservations.ts'
import { defineJob } from '../../jobs/define-job.ts'

const DRAFTS_MAX = 200

const isOldDraft = (orders: string): string => `${orders}.status = 'draft' AND ${orders}.customer_id IS NULL
    AND coalesce(${orders}.customer_email, '') = '' AND ${orders}.updated_at < $1::timestamptz - interval '2 months'
    AND NOT EXISTS (SELECT FROM transactions WHERE transactions.environment_id = ${orders}.environment_id
      AND transactions.order_id = ${orders}.id)`

/** One environment in each run; those that somebody writes at this moment wait for the next one. */
const OLD = `SELECT orders.*, environments.organization_id, environments.mode
  FROM orders JOIN environments ON environments.id = orders.environment_id
  WHERE ${isOldDraft('orders')}
    AND orders.environment_id = (SELECT environment_id FROM orders AS oldest
      WHERE ${isOldDraft('oldest')} ORDER BY environment_id LIMIT 1)
  ORDER BY orders.id LIMIT $2 FOR UPDATE OF orders SKIP LOCKED`

type Draft = RowOf<'Order'> & Pick<RowOf<'Environment'>, 'organization_id' | 'mode'>

/** Whom the change log names. */
const ACTOR = { application: null, owner: null }

export const deleteOldDrafts = defineJob({
  name: 'orders.delete-old-drafts',
  cron: '30 3 * * *',
  retryDelaysSeconds: [60, 600],
  run: async (_payload, { run, registry, now }) => {
    const drafts = await run<Draft>({ text: OLD, values: [now, DRAFTS_MAX] })
    const [first] = drafts
    if (first === undefined) return 'done'
    const { environment_id: environmentId, organization_id: organizationId } = first
    const mode = first.mode === 'live' ? ('live' as const) : ('test' as const)
    const scope = { environmentId, organizationId, mode }
    const numbers = drafts.map(({ id }) => id)
    await release({ column: 'order_id', numbers }, { run, registry, scope, actor: ACTOR })
    const definition = registry.require('orders')
    await persist(
      drafts.map(({ organization_id: _organization, mode: _mode, ...before }) => ({
        definition,
        before,
        columns: undefined,
        topics: ['orders.destroy'],
      })),
      { run, registry, environmentId, actor: ACTOR },
    )
    return 'again'
  },
})
