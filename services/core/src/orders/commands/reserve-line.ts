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
import { readOrdered } from '../stock/order-stock.ts'
import { allocateStock } from '../stock/plan-stock.ts'
import type { AllocatedStock } from '../stock/plan-stock.ts'
import { readStockPlaces } from '../stock/stock-places.ts'

export const reserveLine: Command = {
  trigger: '_reserve_stock',
  run: async ({ number, row, step }) => {
    const order = step.locked
    const refusal = refusalOf(row, order)
    if (refusal !== undefined || order === undefined)
      return { violations: refusal === undefined ? [] : [refusal] }
    const { quantity = 0 } = columnsOf('LineItem', row)
    const { shares, shortages } = await allocate(numberOf(order), { ...row, id: number }, step)
    if (shortages.length > 0) {
      // Of a bundle, as many as the scarcest of its SKUs is enough for.
      const available = shortages.map((short) => {
        const perUnit = short.quantity / quantity
        return Math.floor((short.quantity - short.missing) / perUnit)
      })
      return { violations: outOfStock([{ wanted: quantity, available: Math.min(...available) }]) }
    }
    const expiresAt = expiryOf(step.now, await cutoffOf(order, step))
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
  if (type !== 'skus' && type !== 'bundles')
    return { at, error: 'invalid', message: 'can be sent for a line item of a SKU or a bundle only' }
  if (IN_THE_MAKING.includes(status)) return undefined
  const message = `can be sent while the order is ${IN_THE_MAKING.join(' or ')}; it is ${status}`
  return { at, error: 'not_editable', message }
}

/** What the line had reserved before ends, so that its time begins again. What is not tracked is not reserved. */
const allocate = async (
  order: number,
  line: Row,
  step: CommandContext['step'],
): Promise<Pick<AllocatedStock, 'shares' | 'shortages'>> => {
  const ordered = await readOrdered(order, [line], step)
  const tracked = ordered.lines.filter(({ isTracked }) => isTracked)
  if (tracked.length === 0) return { shares: [], shortages: [] }
  const held = await step.run<Pick<RowOf<'StockReservation'>, 'stock_item_id'>>({
    text: 'SELECT stock_item_id FROM stock_reservations WHERE environment_id = $1 AND line_item_id = $2',
    values: [step.scope.environmentId, line['id']],
  })
  await lockStockItems(
    [...ordered.places.map(({ id }) => id), ...held.map((each) => each.stock_item_id)],
    step,
  )
  await release({ column: 'line_item_id', numbers: [numberOf(line)] }, step)
  // What other lines of the order have reserved is theirs.
  const places = await readStockPlaces(order, [...ordered.skus.keys()], step)
  return allocateStock(
    tracked,
    [],
    places.map((place) => ({ ...place, own: 0 })),
  )
}

const cutoffOf = async (order: Row, { run, scope }: CommandContext['step']): Promise<number> => {
  const text = `SELECT models.stock_reservation_cutoff FROM markets
    JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
    WHERE markets.environment_id = $1 AND markets.id = $2`
  const values = [scope.environmentId, order['market_id']]
  const [facts] = await run<Pick<RowOf<'InventoryModel'>, 'stock_reservation_cutoff'>>({ text, values })
  if (facts === undefined) throw new Error('an order has no market')
  return facts.stock_reservation_cutoff
}
