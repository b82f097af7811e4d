/**
 * Writes of price list schedulers. Whoever writes one locks its market first, so that a market has the list that its schedulers
 * say when the write commits; time does the rest (switch-price-lists.ts).
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { switchLists } from './list-in-force.ts'
import type { Market } from './list-in-force.ts'
import { moneyViolations } from './same-money.ts'
import { nextChangeOf, topicsOf } from './scheduler-status.ts'
import type { Scheduler } from './scheduler-status.ts'

const LOCK_OF_SCHEDULER = `SELECT * FROM markets WHERE environment_id = $1 AND id = (
    SELECT market_id FROM price_list_schedulers WHERE environment_id = $1 AND id = $2) FOR NO KEY UPDATE`

const LOCK = 'SELECT * FROM markets WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE'

/** The row as it will be; nothing disables a new one that does not say so. */
const plannedOf = (row: Row): Scheduler => rowOf('PriceListScheduler', { disabled_at: null, ...row })

/** Locked already, or now. */
const lockMarket = async (
  number: number,
  { run, scope, locked }: WorkflowStep,
): Promise<Market | undefined> => {
  if (locked?.['id'] === number) return rowOf('Market', locked)
  const [market] = await run<Market>({ text: LOCK, values: [scope.environmentId, number] })
  return market
}

const violationsOf = async (
  after: Scheduler,
  before: Scheduler | undefined,
  step: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  const { market_id: number, price_list_id: list } = after
  const market = await lockMarket(number, step)
  const isSame = before?.market_id === number && before.price_list_id === list
  if (market === undefined || market.base_price_list_id === null) return []
  if (isSame && nextChangeOf(after, step.now) === null) return []
  const found = await moneyViolations(list, market.base_price_list_id, step)
  return found.map((violation) => ({
    ...violation,
    message: `${violation.message}, as those of the price list of the market`,
  }))
}

export const priceListSchedulerWorkflow: WriteWorkflow = {
  completesFrom: ['market', 'price_list', 'starts_at', 'expires_at'],

  lockForChange: async (number, { run, scope }) => {
    const [market] = await run<Market>({ text: LOCK_OF_SCHEDULER, values: [scope.environmentId, number] })
    return market
  },

  complete: async (row, before, _request, step) => {
    const after = plannedOf(row)
    const earlier = before === undefined ? undefined : rowOf('PriceListScheduler', before)
    const violations = await violationsOf(after, earlier, step)
    if (violations.length > 0) return { violations }
    return { set: { status_changes_at: nextChangeOf(after, step.now) } }
  },

  consequences: async ({ number, before, after }, _request, step) => {
    const planned = after === undefined ? [] : [{ ...plannedOf(after), id: number }]
    const earlier = before === undefined ? undefined : rowOf('PriceListScheduler', before)
    const concerned = new Set(
      [earlier, ...planned].flatMap((each) => (each === undefined ? [] : [each.market_id])),
    )
    const markets: Market[] = []
    for (const each of concerned) {
      const market = await lockMarket(each, step)
      if (market !== undefined) markets.push(market)
    }
    return {
      topics: planned.flatMap((each) => topicsOf(earlier, each, step.now)),
      writes: await switchLists(markets, { written: [number], planned }, step),
    }
  },
}
