import { fillCheckout } from '@merx/core/load/fill-checkout'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { Bench } from '@merx/load/bench'
import { Client } from 'undici'
import { measure, measureSize, RUNS, SKUS, TAXES, TIMES } from './recalculations.ts'
import type { Costs } from './recalculations.ts'

const SIZES = [1, 10, 100]
/** Of a recalculation of the largest order. */
const MS_MAX = 10

const ONE_ROW = {
  text: 'SELECT * FROM markets WHERE environment_id = $1 AND id = $2',
  values: [1, 1],
}

const toRow = (name: string, { processorMs, wallMs }: Costs): readonly string[] => [
  name,
  processorMs.toFixed(2),
  wallMs.toFixed(2),
]

export const bench: Bench = {
  summary: `Orders of ${SIZES.join(', ')} lines are recalculated in this process: amounts of every line, discounts, taxes by the rules of a manual calculator, totals, shipments, and the writes that follow; ${RUNS} runs of ${TIMES} times.`,
  run: async ({ defer, say }) => {
    const surroundings = await openCoreSurroundings(say)
    defer(surroundings.close)
    const core = await surroundings.start('totals', SKUS)
    await fillCheckout(core.databaseUrl)
    await core.pool.query(TAXES)
    const client = new Client(core.target.url)
    defer(() => client.close())
    const rows = [
      toRow('for comparison: one row read by its key', await measure(() => core.pool.query(ONE_ROW))),
    ]
    let largest: Costs | undefined
    for (const size of SIZES) {
      say(`orders of ${size} lines`)
      largest = await measureSize(core, client, size)
      rows.push(toRow(`${size} lines`, largest))
    }
    const found = largest?.processorMs ?? Number.POSITIVE_INFINITY
    return {
      tables: [
        {
          title: 'Milliseconds of one recalculation, median of the runs',
          columns: ['what', 'processor time of core', 'until it is done'],
          rows,
        },
      ],
      checks: [
        {
          name: `an order of ${SIZES.at(-1)} lines is recalculated within ${MS_MAX} ms of processor time of core`,
          found: `${found.toFixed(2)} ms`,
          isMet: found <= MS_MAX,
        },
      ],
    }
  },
}
