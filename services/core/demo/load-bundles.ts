/** Bundles of the demo: two in each market, of SKUs that it sells and its first stock location has. */
import { MARKETS } from './blueprint.ts'
import type { MarketBlueprint } from './blueprint.ts'
import { keyed } from './catalogue-target.ts'
import type { CatalogueTarget } from './catalogue-target.ts'
import { copyRecords, numberOf } from './copy-records.ts'

/** `units` are those of each of its SKUs. */
const BUNDLES = [
  { code: 'PAIR', name: 'A pair', units: [1, 1] },
  { code: 'FAMILY', name: 'For the family', units: [2, 1, 1] },
] as const

const SKUS_OF_MARKET = BUNDLES.reduce((sum, { units }) => sum + units.length, 0)

/** What a bundle costs of what its SKUs cost one by one. */
const SHARE = 0.9

interface SoldSku {
  readonly market_id: number
  readonly sku_id: number
  readonly sku_code: string
  readonly image_url: string
  readonly amount_cents: number
}

const SOLD = `SELECT markets.id AS market_id, prices.sku_id, prices.sku_code, skus.image_url, prices.amount_cents
  FROM markets
  JOIN prices ON prices.environment_id = $1 AND prices.price_list_id = markets.price_list_id
  JOIN skus ON skus.environment_id = $1 AND skus.id = prices.sku_id AND NOT skus.do_not_track
  JOIN inventory_stock_locations AS listed ON listed.environment_id = $1
    AND listed.inventory_model_id = markets.inventory_model_id
  JOIN stock_items AS items ON items.environment_id = $1 AND items.sku_id = prices.sku_id
    AND items.stock_location_id = listed.stock_location_id AND items.quantity >= 16
  WHERE markets.environment_id = $1 AND markets.code = $2 AND listed.priority = 1
  ORDER BY prices.sku_code DESC LIMIT $3`

export const loadBundles = async (target: CatalogueTarget): Promise<void> => {
  for (const market of MARKETS) {
    const { rows } = await target.client.query<SoldSku>(SOLD, [
      target.environmentId,
      market.code,
      SKUS_OF_MARKET,
    ])
    if (rows.length === SKUS_OF_MARKET) await loadBundlesOf(market, rows, target)
  }
}

const loadBundlesOf = async (
  market: MarketBlueprint,
  sold: readonly SoldSku[],
  target: CatalogueTarget,
): Promise<void> => {
  const dates = { created_at: target.openedAt, updated_at: target.openedAt }
  const lists = await keyed(target)(
    'sku_lists',
    BUNDLES.map(({ code, name }) => [
      code,
      {
        name: `${name}, ${market.name}`,
        slug: `${code}-${market.code}`.toLowerCase(),
        manual: true,
        sku_code_regex: null,
      },
    ]),
  )
  const left = [...sold]
  const filled = BUNDLES.map(({ code, name, units }) => {
    const items = left.splice(0, units.length).map((sku, at) => ({ ...sku, quantity: units[at] ?? 1 }))
    return { code, name, items, list: numberOf(lists, code) }
  })
  await copyRecords(
    target.client,
    'sku_list_items',
    target.environmentId,
    filled.flatMap(({ items, list }) =>
      items.map(({ sku_id, sku_code, quantity }, at) => ({
        ...{ sku_list_id: list, sku_id, sku_code, quantity, position: at + 1 },
        ...dates,
      })),
    ),
  )
  // A trigger of the table copies the items.
  await copyRecords(
    target.client,
    'bundles',
    target.environmentId,
    filled.map(({ code, name, items, list }) => {
      const apart = items.reduce((sum, item) => sum + item.quantity * item.amount_cents, 0)
      return {
        code,
        name,
        currency_code: market.currency,
        image_url: items[0]?.image_url ?? null,
        do_not_ship: false,
        do_not_track: false,
        price_amount_cents: Math.round((apart * SHARE) / market.priceStep) * market.priceStep,
        compare_at_amount_cents: apart,
        skus_count: items.reduce((sum, { quantity }) => sum + quantity, 0),
        market_id: items[0]?.market_id ?? null,
        sku_list_id: list,
        ...dates,
      }
    }),
  )
}
