/** Subscriptions whose time has come, of one environment at a time; those that somebody writes at this moment wait. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../../engine/database/rows.ts'

export type Due = RowOf<'OrderSubscription'> & Pick<RowOf<'Environment'>, 'organization_id' | 'mode'> & Row

/** $1 is now, $2 how many at most. */
export const oneEnvironmentOf = (
  column: 'next_run_at' | 'renewal_alert_at',
): string => `SELECT due.*, environments.organization_id, environments.mode
  FROM order_subscriptions AS due JOIN environments ON environments.id = due.environment_id
  WHERE due.status = 'active' AND due.${column} <= $1 AND due.environment_id = (
    SELECT environment_id FROM order_subscriptions WHERE status = 'active' AND ${column} <= $1 ORDER BY ${column} LIMIT 1)
  ORDER BY due.${column} LIMIT $2 FOR NO KEY UPDATE OF due SKIP LOCKED`

export const scopeOf = ({ environment_id: environmentId, organization_id: organizationId, mode }: Due) => ({
  environmentId,
  organizationId,
  mode: mode === 'live' ? ('live' as const) : ('test' as const),
})
