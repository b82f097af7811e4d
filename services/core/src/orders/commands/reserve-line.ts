/** `_reserve_stock` of a line item: its whole quantity is promised until the inventory model says that it ends. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../../engine/database/rows.ts'
import { columnsOf } from '../../engine/database/rows.ts'
import type { Command, CommandContext } from '../../engine/write/commands.ts'
import { numberOf } from '../../engine/write/persist.ts'
import { lockStockItems } from '../../inventory/move-stock.ts'
import { outOfStock } from '../../inventory/out-of-stock.ts'
import { expiryOf } from '../../inventory/reservation-expiry.ts'
import { release, reserve } from '../../inventory/reservations.ts'
import { IN_THE_MAKING } from '../order-states.ts'
import { allocateStock } from '../stock/plan-stock.ts'
import { readStockPlaces } from '../stock/stock-places.ts'

export const reserveLine: Command = {
  trigger: '_reserve_stock',
  run: async ({ number, row, step }) => {
    const order = step.locked
    const refusal = refusalOf(row, order)
    if (refusal !== undefined || order === undefined)
      return { violations: refusal === undefined ? [] : [refusal] }
    const facts = await factsOf(order, row, step)
    if (!facts.is_tracked) return {}
    const { shares, shortages } = await allocate({ order: numberOf(order), line: number, row }, step)
    if (shortages.length > 0) {
      return {
        violations: outOfStock(
          shortages.map(({ quantity, missing }) => ({
            stockItem: 0,
            wanted: quantity,
            available: quantity - missing,
          })),
        ),
      }
    }
    const expiresAt = expiryOf(step.now, facts.stock_reservation_cutoff)
    const wanted = shares.flatMap(({ stockItem, quantity }) =>
      stockItem === null
        ? []
        : [{ stockItem, quantity, order: numberOf(order), lineItem: number, expiresAt }],
    )
    return { writes: (await reserve(wanted, step)).writes }
  },
}

const refusalOf = (line: Row, order: Row | undefined) => {
  const at = { attribute: '_reserve_stock' }
  const { status = '' } = columnsOf('Order', order ?? {})
  const { item_type: type } = columnsOf('LineItem', line)
  if (type !== 'skus') return { at, error: 'invalid', message: 'can be sent for a line item of a SKU only' }
  if (IN_THE_MAKING.includes(status)) return undefined
  const message = `can be sent while the order is ${IN_THE_MAKING.join(' or ')}; it is ${status}`
  return { at, error: 'not_editable', message }
}

/** What the line had reserved before ends, so that its time begins again. */
const allocate = async (
  { order, line, row }: { readonly order: number; readonly line: number; readonly row: Row },
  step: CommandContext['step'],
) => {
  const { item_id: sku, quantity = 0 } = columnsOf('LineItem', row)
  if (typeof sku !== 'number') return { shares: [], shortages: [] }
  const items = await readStockPlaces(order, [sku], step)
  const held = await step.run<Pick<RowOf<'StockReservation'>, 'stock_item_id'>>({
    text: 'SELECT stock_item_id FROM stock_reservations WHERE environment_id = $1 AND line_item_id = $2',
    values: [step.scope.environmentId, line],
  })
  await lockStockItems([...items.map(({ id }) => id), ...held.map((each) => each.stock_item_id)], step)
  await release({ column: 'line_item_id', numbers: [line] }, step)
  // What other lines of the order have reserved is theirs.
  const places = (await readStockPlaces(order, [sku], step)).map((place) => ({ ...place, own: 0 }))
  return allocateStock([{ line, sku, quantity, isTracked: true }], [], places)
}

interface Facts extends Row {
  readonly stock_reservation_cutoff: number
  readonly is_tracked: boolean
}

const factsOf = async (order: Row, line: Row, { run, scope }: CommandContext['step']): Promise<Facts> => {
  const text = `SELECT models.stock_reservation_cutoff, NOT skus.do_not_track AS is_tracked FROM markets
    JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
    JOIN skus ON skus.environment_id = $1 AND skus.id = $3
    WHERE markets.environment_id = $1 AND markets.id = $2`
  const values = [scope.environmentId, order['market_id'], line['item_id']]
  const [facts] = await run<Facts>({ text, values })
  if (facts === undefined) throw new Error('a line item of a SKU has no SKU or no market')
  return facts
}
