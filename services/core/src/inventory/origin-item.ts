import type { Row } from '@merx/jsonapi/attributes'
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

export const originItem = (transfer: Row, step: Pick<StockStep, 'run' | 'scope'>): Promise<Row | undefined> =>
  stockItemAt(transfer['origin_stock_location_id'], transfer['sku_id'], step)
