/** Which price list a market has now: of the scheduler that started first among the active ones, else its base list. */
import { validityAt } from '../definitions/validity.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import type { Scheduler } from './scheduler-status.ts'

export type Market = RowOf<'Market'>

export type Candidate = Pick<
  Scheduler,
  'id' | 'market_id' | 'price_list_id' | 'starts_at' | 'expires_at' | 'disabled_at'
>

/** Of each market its first active scheduler, besides those that are being written. */
const ACTIVE = `SELECT DISTINCT ON (market_id) * FROM price_list_schedulers
  WHERE environment_id = $1 AND market_id = ANY($2::bigint[]) AND id <> ALL($3::bigint[])
    AND disabled_at IS NULL AND starts_at <= $4 AND expires_at > $4
  ORDER BY market_id, starts_at, expires_at, id`

/** Several that overlap: the earliest start wins, then the earliest end, then the older one. */
const earlier = (one: Candidate, other: Candidate): number =>
  one.starts_at.getTime() - other.starts_at.getTime() ||
  one.expires_at.getTime() - other.expires_at.getTime() ||
  one.id - other.id

export interface ScheduledChange {
  /** Schedulers that are written or deleted, by number. */
  readonly written: readonly number[]
  /** Those of them that will be there, as they will be. */
  readonly planned: readonly Candidate[]
}

type Step = Pick<WorkflowStep, 'run' | 'registry' | 'now'> & {
  readonly scope: Pick<WorkflowStep['scope'], 'environmentId'>
}

/** The price list of each of these markets, by the number of the market; they are locked. */
export const listsInForce = async (
  markets: readonly Pick<Market, 'id' | 'base_price_list_id'>[],
  { written, planned }: ScheduledChange,
  { run, scope, now }: Pick<Step, 'run' | 'scope' | 'now'>,
): Promise<ReadonlyMap<number, number | null>> => {
  const numbers = markets.map(({ id }) => id)
  const stored = await run<Scheduler>({
    text: ACTIVE,
    values: [scope.environmentId, numbers, written, now],
  })
  const active = [...stored, ...planned.filter((each) => validityAt(each, now) === 'active')]
  return new Map(
    markets.map(({ id, base_price_list_id: base }) => {
      const [first] = active.filter(({ market_id: market }) => market === id).sort(earlier)
      return [id, first?.price_list_id ?? base]
    }),
  )
}

/** The writes of those markets that have another list from now on; they are locked. */
export const switchLists = async (
  markets: readonly Market[],
  change: ScheduledChange,
  step: Step,
): Promise<readonly RowWrite[]> => {
  const lists = await listsInForce(markets, change, step)
  const definition = step.registry.require('markets')
  return markets.flatMap((before) => {
    const list = lists.get(before.id) ?? null
    if (list === null || list === before.price_list_id) return []
    return [{ definition, before, columns: { price_list_id: list } }]
  })
}
