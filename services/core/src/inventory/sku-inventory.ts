/**
 * `skus.inventory`: what the market in scope can deliver, location by location in the order of their priority
 * (lifecycles.md 4.1). Without a market in scope there is none. Lead times come with shipping methods.
 */
import type { AttributeLoader } from '../engine/area.ts'
import { createParams } from '../engine/sql/params.ts'

interface Level {
  readonly quantity: number
  readonly delivery_lead_times: readonly unknown[]
}

export interface Inventory {
  readonly available: boolean
  readonly quantity: number
  readonly levels: readonly Level[]
}

export const skuInventory: AttributeLoader = async (sku, { run, scope }): Promise<Inventory | null> => {
  if (scope.inventory === undefined) return null
  const params = createParams(scope.environmentId)
  const number = params.add(sku.number, 'bigint')
  const locations = params.add(scope.inventory.stockLocationIds, 'bigint[]')
  const rows = await run({
    text: `SELECT s.quantity FROM unnest(${locations}) WITH ORDINALITY AS wanted (stock_location_id, position)
      JOIN stock_items AS s ON s.environment_id = ${params.environment} AND s.sku_id = ${number}
        AND s.stock_location_id = wanted.stock_location_id
      ORDER BY wanted.position`,
    values: params.values,
    name: 'sku_inventory',
  })
  const levels = rows.map(({ quantity }): Level => ({ quantity: Number(quantity), delivery_lead_times: [] }))
  const quantity = levels.reduce((sum, level) => sum + level.quantity, 0)
  return { available: quantity > 0 || sku.row['do_not_track'] === true, quantity, levels }
}
