/** Switches the price lists of markets whose schedulers begin or end, each minute; what was missed is made up for at once. */
import type { RowWrite } from '../engine/write/persist.ts'
import { persist } from '../engine/write/persist.ts'
import { defineJob } from '../jobs/define-job.ts'
import { switchLists } from './list-in-force.ts'
import type { Market } from './list-in-force.ts'
import { nextChangeOf, topicsOf } from './scheduler-status.ts'
import type { Scheduler } from './scheduler-status.ts'

const MARKETS_MAX = 50

/** Of one environment at a time; those that somebody writes at this moment wait. $1 is now. */
const DUE = `SELECT * FROM markets
  WHERE environment_id = (
      SELECT environment_id FROM price_list_schedulers WHERE status_changes_at <= $1 ORDER BY status_changes_at LIMIT 1)
    AND EXISTS (
      SELECT FROM price_list_schedulers AS due
      WHERE due.environment_id = markets.environment_id AND due.market_id = markets.id AND due.status_changes_at <= $1)
  ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`

const SCHEDULERS = `SELECT * FROM price_list_schedulers
  WHERE environment_id = $1 AND market_id = ANY($2::bigint[]) AND status_changes_at <= $3 ORDER BY id`

/** Whom the change log names. */
const ACTOR = { application: null, owner: null }

export const switchPriceLists = defineJob({
  name: 'markets.switch-price-lists',
  cron: '* * * * *',
  retryDelaysSeconds: [1, 5, 30],
  run: async (_payload, { run, registry, now }) => {
    const markets = await run<Market>({ text: DUE, values: [now, MARKETS_MAX] })
    const [first] = markets
    if (first === undefined) return 'done'
    const { environment_id: environmentId } = first
    const numbers = markets.map(({ id }) => id)
    const due = await run<Scheduler>({ text: SCHEDULERS, values: [environmentId, numbers, now] })
    const definition = registry.require('price_list_schedulers')
    const schedulers = due.map((before): RowWrite => {
      const columns = { status_changes_at: nextChangeOf(before, now) }
      return { definition, before, columns, topics: topicsOf(before, before, now) }
    })
    const switched = await switchLists(
      markets,
      { written: [], planned: [] },
      { run, registry, scope: { environmentId }, now },
    )
    await persist([...schedulers, ...switched], { run, registry, environmentId, actor: ACTOR })
    return 'again'
  },
})
