import { fillCheckout, SHIPPING_METHODS } from '@merx/core/load/fill-checkout'
import { decodeId } from '@merx/core/load/load-ids'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import type { Bench } from '@merx/load/bench'
import { exchange } from '@merx/load/exchange'
import { Client } from 'undici'
import { fillPromotions, PROMOTIONS } from './fill-promotions.ts'
import { fillCart, measureOrder, measureSize, RUNS, SKUS, TAXES, TIMES } from './recalculations.ts'
import type { Costs } from './recalculations.ts'

const LINES = 100
/** Of a recalculation with all of them. */
const MS_MAX = 15

/** The other method costs nothing for orders of this size. */
const COSTLY_SHIPPING = `UPDATE markets SET default_shipping_method_id = ${SHIPPING_METHODS[1]} WHERE environment_id = 1 AND id = 1`

/** Of each promotion that takes something off the order its type and cents, dearest first. */
const takenOff = async (
  { pool }: LoadedCore,
  order: string,
): Promise<readonly { readonly type: string; readonly cents: number }[]> =>
  (
    await pool.query<{ type: string; cents: number }>(
      `SELECT item_type AS type, -total_amount_cents::float8 AS cents FROM line_items
       WHERE environment_id = 1 AND order_id = $1 AND item_type LIKE '%_promotions' AND total_amount_cents < 0
       ORDER BY cents DESC`,
      [decodeId('orders', order)],
    )
  ).rows

const toRow = (name: string, { processorMs, wallMs }: Costs): readonly string[] => [
  name,
  processorMs.toFixed(2),
  wallMs.toFixed(2),
]

export const bench: Bench = {
  summary: `An order of ${LINES} lines is recalculated in this process without promotions and with ${PROMOTIONS} in force, all with rules, some of lists by hand and by pattern, three with filters: which apply, shares of every line, taxes, totals, shipments, and the writes that follow; ${RUNS} runs of ${TIMES} times.`,
  run: async ({ defer, say }) => {
    const surroundings = await openCoreSurroundings(say)
    defer(surroundings.close)
    const core = await surroundings.start('promotions', SKUS)
    await fillCheckout(core.databaseUrl)
    await core.pool.query(TAXES)
    await core.pool.query(COSTLY_SHIPPING)
    const client = new Client(core.target.url)
    defer(() => client.close())
    say('without promotions')
    const without = await measureSize(core, client, LINES)
    say(`with ${PROMOTIONS} promotions`)
    await fillPromotions(core.target.facts.adminToken, (request) => exchange(client, request, true))
    const order = await fillCart(core, client, LINES)
    const all = await measureOrder(core, order)
    const taken = await takenOff(core, order)
    return {
      tables: [
        {
          title: `Milliseconds of one recalculation of ${LINES} lines, median of the runs`,
          columns: ['promotions', 'processor time of core', 'until it is done'],
          rows: [toRow('none', without), toRow(String(PROMOTIONS), all)],
        },
        {
          title: 'What each takes off the order',
          columns: ['promotion', 'cents'],
          rows: taken.map(({ type, cents }) => [type, String(cents)]),
        },
      ],
      checks: [
        {
          name: `each of the ${PROMOTIONS} promotions takes something off`,
          found: `${taken.length} do`,
          isMet: taken.length === PROMOTIONS,
        },
        {
          name: `an order of ${LINES} lines with ${PROMOTIONS} promotions is recalculated within ${MS_MAX} ms of processor time of core`,
          found: `${all.processorMs.toFixed(2)} ms`,
          isMet: all.processorMs <= MS_MAX,
        },
      ],
    }
  },
}
