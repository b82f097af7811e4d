import type { Row } from '@merx/jsonapi/attributes'
import { persist } from '../engine/write/persist.ts'
import type { StockStep } from './move-stock.ts'

/** The stock item of a SKU at a location, or undefined. */
export const stockItemAt = async (
  location: unknown,
  sku: unknown,
  { run, scope }: Pick<StockStep, 'run' | 'scope'>,
): Promise<Row | undefined> => {
  const text = `SELECT * FROM stock_items WHERE environment_id = $1 AND stock_location_id = $2 AND sku_id = $3`
  const [item] = await run({ text, values: [scope.environmentId, location, sku] })
  return item
}

/** A location that never had the SKU gets a stock item of it. */
export const stockItemFor = async (
  location: unknown,
  { sku_id, sku_code }: Row,
  step: StockStep,
): Promise<Row> => {
  const found = await stockItemAt(location, sku_id, step)
  if (found !== undefined) return found
  const { run, registry, scope, actor } = step
  const columns = { sku_id, sku_code, stock_location_id: location, quantity: 0 }
  const write = { definition: registry.require('stock_items'), before: undefined, columns }
  const [made] = await persist([write], { run, registry, environmentId: scope.environmentId, actor })
  if (made === undefined) throw new Error('a stock item was not written')
  return made
}

export const originItem = (transfer: Row, step: Pick<StockStep, 'run' | 'scope'>): Promise<Row | undefined> =>
  stockItemAt(transfer['origin_stock_location_id'], transfer['sku_id'], step)
