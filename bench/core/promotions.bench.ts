import { linkTo, sendAs } from '@merx/core/load/core-requests'
import { fillCheckout } from '@merx/core/load/fill-checkout'
import { encodeId } from '@merx/core/load/load-ids'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import type { Bench } from '@merx/load/bench'
import { Client } from 'undici'
import { measureSize, RUNS, send, SKUS, TAXES, TIMES } from './recalculations.ts'
import type { Costs } from './recalculations.ts'

const LINES = 100
const PROMOTIONS = 10
/** Of a recalculation with all of them. */
const MS_MAX = 15

/** SKUs of a list by hand, of as many as an order has lines. */
const LISTED = 50

type Attributes = Readonly<Record<string, unknown>>

/** One of each type that asks nobody outside, with rules and lists, and then percentages up to ten. */
const fillPromotions = async (core: LoadedCore, client: Client): Promise<void> => {
  const { adminToken } = core.target.facts
  const make = async (
    type: string,
    attributes: Attributes,
    relationships: Attributes = {},
  ): Promise<string> =>
    (await send(client, sendAs(adminToken, 'POST', `/api/${type}`, { type, attributes, relationships }))).data
      .id
  const list = await make('sku_lists', { name: 'Listed' })
  for (let sku = 1; sku <= LISTED; sku += 1) {
    const relationships = { sku_list: linkTo('sku_lists', list), sku: linkTo('skus', encodeId('skus', sku)) }
    await make('sku_list_items', { position: sku, quantity: 1 }, relationships)
  }
  const pattern = await make('sku_lists', { name: 'Pattern', manual: false, sku_code_regex: '[02468]$' })
  const dates = { starts_at: '2020-01-01T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' }
  const ofList = (id: string) => ({ sku_list: linkTo('sku_lists', id) })
  const made: readonly (readonly [string, Attributes, Attributes])[] = [
    ['free_gift_promotions', { max_quantity: 2 }, ofList(list)],
    ['fixed_price_promotions', { fixed_amount_cents: 900, currency_code: 'EUR' }, ofList(pattern)],
    ['buy_x_pay_y_promotions', { x: 3, y: 2, cheapest_free: true }, ofList(list)],
    ['fixed_amount_promotions', { fixed_amount_cents: 1000, currency_code: 'EUR' }, {}],
    ['free_shipping_promotions', {}, {}],
    ...Array.from({ length: PROMOTIONS - 5 }, (_none, at): readonly [string, Attributes, Attributes] => [
      'percentage_discount_promotions',
      { percentage: at + 1 },
      at % 2 === 0 ? {} : ofList(pattern),
    ]),
  ]
  for (const [at, [type, attributes, relationships]] of made.entries()) {
    const id = await make(type, { name: `Promotion ${at}`, ...dates, ...attributes }, relationships)
    const promotion = { promotion: linkTo(type, id) }
    await make('order_amount_promotion_rules', { order_amount_cents: 100 }, promotion)
    if (at % 3 === 0)
      await make('sku_list_promotion_rules', { min_quantity: 1 }, { ...promotion, ...ofList(pattern) })
    if (at % 4 === 0)
      await make('custom_promotion_rules', { filters: { market_id_in: encodeId('markets', 1) } }, promotion)
  }
}

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
    const client = new Client(core.target.url)
    defer(() => client.close())
    say('without promotions')
    const without = await measureSize(core, client, LINES)
    say(`with ${PROMOTIONS} promotions`)
    await fillPromotions(core, client)
    const all = await measureSize(core, client, LINES)
    return {
      tables: [
        {
          title: `Milliseconds of one recalculation of ${LINES} lines, median of the runs`,
          columns: ['promotions', 'processor time of core', 'until it is done'],
          rows: [toRow('none', without), toRow(String(PROMOTIONS), all)],
        },
      ],
      checks: [
        {
          name: `an order of ${LINES} lines with ${PROMOTIONS} promotions is recalculated within ${MS_MAX} ms of processor time of core`,
          found: `${all.processorMs.toFixed(2)} ms`,
          isMet: all.processorMs <= MS_MAX,
        },
      ],
    }
  },
}
