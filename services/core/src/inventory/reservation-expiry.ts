/** When draft reservations end, and the job that ends them. */
import type { RowOf } from '../engine/database/rows.ts'
import { defineJob } from '../jobs/define-job.ts'
import { release } from './reservations.ts'

/** Of an inventory model that says nothing else, and of reservations without an order. */
export const DEFAULT_CUTOFF_SECONDS = 3600

export const expiryOf = (now: Date, cutoffSeconds: number): Date =>
  new Date(now.getTime() + cutoffSeconds * 1000)

const RESERVATIONS_MAX = 500

/** Environment by environment, in one transaction each run; more than fit wait for the next run. */
const EXPIRED = `SELECT environments.id AS environment_id, environments.organization_id, environments.mode,
    array_agg(expired.id) AS numbers
  FROM (SELECT environment_id, id FROM stock_reservations WHERE expires_at <= $1
    ORDER BY environment_id, stock_item_id LIMIT $2) AS expired
  JOIN environments ON environments.id = expired.environment_id
  GROUP BY environments.id ORDER BY environments.id LIMIT 1`

type Expired = Pick<RowOf<'StockReservation'>, 'environment_id'> &
  Pick<RowOf<'Environment'>, 'organization_id' | 'mode'> & { readonly numbers: readonly number[] }

/** Whom the change log names. */
const ACTOR = { application: null, owner: null }

export const expireReservations = defineJob({
  name: 'inventory.expire-reservations',
  cron: '* * * * *',
  retryDelaysSeconds: [],
  run: async (_payload, { run, registry, now }) => {
    const [expired] = await run<Expired>({ text: EXPIRED, values: [now, RESERVATIONS_MAX] })
    if (expired === undefined) return 'done'
    const scope = {
      environmentId: expired.environment_id,
      organizationId: expired.organization_id,
      mode: expired.mode === 'live' ? ('live' as const) : ('test' as const),
    }
    await release(
      { column: 'id', numbers: expired.numbers, expiredAt: now },
      { run, registry, scope, actor: ACTOR },
    )
    return 'again'
  },
})
