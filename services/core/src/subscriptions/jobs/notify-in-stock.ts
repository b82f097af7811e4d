/** Tells once who waits for a SKU that there is enough of it again: events that webhooks and the event stream deliver. */
import type { RowOf } from '../../engine/database/rows.ts'
import { persist } from '../../engine/write/persist.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import { availabilityColumns, availabilityOf, availableUnits } from '../../inventory/availability.ts'
import type { AvailabilityRow } from '../../inventory/availability.ts'
import { defineJob } from '../../jobs/define-job.ts'
import { transition } from '../../states/transition.ts'
import { inStockStates } from '../in-stock-states.ts'

const SUBSCRIPTIONS_MAX = 200

/** Most of those who wait are for what has no stock at all, which one look at its stock items says. */
const MAY_BE_IN_STOCK = `waiting.status = 'active' AND (skus.do_not_track OR (
    SELECT sum(items.quantity) FROM stock_items AS items
    WHERE items.environment_id = waiting.environment_id AND items.sku_id = waiting.sku_id
  ) >= coalesce(waiting.stock_threshold, 1))`

const ENVIRONMENTS = `SELECT id FROM environments WHERE EXISTS (
    SELECT FROM in_stock_subscriptions AS waiting
    JOIN skus ON skus.environment_id = waiting.environment_id AND skus.id = waiting.sku_id
    WHERE waiting.environment_id = environments.id AND ${MAY_BE_IN_STOCK})`

/** What the markets of the next ones have of their SKUs, as everything that sells counts it. */
const CANDIDATES = `
  SELECT waiting.*, skus.do_not_track, ${availabilityColumns('ARRAY[waiting.sku_id]', 'NULL::bigint')}
  FROM in_stock_subscriptions AS waiting
  JOIN skus ON skus.environment_id = $1 AND skus.id = waiting.sku_id
  JOIN markets ON markets.environment_id = $1 AND markets.id = waiting.market_id
  JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
  LEFT JOIN stores ON false
  WHERE waiting.environment_id = $1 AND waiting.id > $2 AND markets.disabled_at IS NULL AND ${MAY_BE_IN_STOCK}
  ORDER BY waiting.id LIMIT $3 FOR NO KEY UPDATE OF waiting SKIP LOCKED`

type Waiting = RowOf<'InStockSubscription'>
type Candidate = Waiting & Pick<RowOf<'Sku'>, 'do_not_track'> & AvailabilityRow

/** Whom the change log names. */
const ACTOR = { application: null, owner: null }

interface Slice {
  readonly environmentId: number
  /** The last one that was looked at. */
  readonly after: number
}

const isInStock = (candidate: Candidate): boolean =>
  candidate.do_not_track ||
  availableUnits(availabilityOf(candidate, undefined), candidate.sku_id) >= (candidate.stock_threshold ?? 1)

export const notifyInStock = defineJob<Slice>({
  name: 'subscriptions.notify-in-stock',
  retryDelaysSeconds: [5, 60],
  key: ({ environmentId, after }) => `${environmentId}:${after}`,
  run: async ({ environmentId, after }, { run, registry, enqueue, now }) => {
    const values = [environmentId, after, SUBSCRIPTIONS_MAX]
    const candidates = await run<Candidate>({ text: CANDIDATES, values })
    const definition = registry.require('in_stock_subscriptions')
    const writes: RowWrite[] = []
    for (const before of candidates.filter(isInStock)) {
      const start = { transition: 'notify' } as const
      const { set, topics } = await transition(inStockStates, before, { start, subject: { now } })
      writes.push({ definition, before: waitingOf(before), columns: set, topics })
    }
    await persist(writes, { run, registry, environmentId, actor: ACTOR })
    const last = candidates.length < SUBSCRIPTIONS_MAX ? undefined : candidates.at(-1)
    if (last !== undefined) await enqueue(notifyInStock, { environmentId, after: last.id }, run)
    return 'done'
  },
})

/** Without what was read besides the row. */
const waitingOf = ({
  do_not_track: _tracking,
  strategy: _strategy,
  cutoff: _cutoff,
  own_location: _own,
  listed_locations: _listed,
  stocked_items: _stocked,
  ...waiting
}: Candidate): Waiting => waiting

export const findInStock = defineJob({
  name: 'subscriptions.find-in-stock',
  cron: '* * * * *',
  retryDelaysSeconds: [],
  run: async (_payload, { run, enqueue }) => {
    const environments = await run<Pick<RowOf<'Environment'>, 'id'>>({ text: ENVIRONMENTS, values: [] })
    for (const { id } of environments) await enqueue(notifyInStock, { environmentId: id, after: 0 }, run)
    return 'done'
  },
})
