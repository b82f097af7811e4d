/** Takes the stock of an order out when it is approved, and gives it back when it is cancelled. The order is locked. */
import type { RowOf } from '../../engine/database/rows.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import { lockStockItems } from '../../inventory/move-stock.ts'
import type { StockStep } from '../../inventory/move-stock.ts'
import { outOfStockAmong } from '../../inventory/out-of-stock.ts'
import { release } from '../../inventory/reservations.ts'
import { giveBack, takeOut } from '../../inventory/stock-of-lines.ts'
import type { TakenStock } from '../../inventory/stock-of-lines.ts'
import { cancelTransfers, giveUp } from '../../shipping/shipment-commands.ts'
import { SHIPMENT_ENDED, shipmentStates } from '../../shipping/shipment-states.ts'
import { transition } from '../../states/transition.ts'
import type { HeldStock } from './hold-stock.ts'

type StockLine = RowOf<'StockLineItem'> & { readonly shipment_status: string | null }

const STOCK_LINES = `SELECT taken.*, shipments.status AS shipment_status FROM line_items
  JOIN stock_line_items AS taken ON taken.environment_id = $1 AND taken.line_item_id = line_items.id
  LEFT JOIN shipments ON shipments.environment_id = $1 AND shipments.id = taken.shipment_id
  WHERE line_items.environment_id = $1 AND line_items.order_id = $2 ORDER BY taken.id`

const readStockLines = (order: number, { run, scope }: StockStep): Promise<readonly StockLine[]> =>
  run<StockLine>({ text: STOCK_LINES, values: [scope.environmentId, order] })

/** Everything that any of the following steps may lock, in one go, so that two orders never wait for each other in a circle. */
const ITEMS = `SELECT taken.stock_item_id FROM line_items
    JOIN stock_line_items AS taken ON taken.environment_id = $1 AND taken.line_item_id = line_items.id
    WHERE line_items.environment_id = $1 AND line_items.order_id = $2 AND taken.stock_item_id IS NOT NULL
  UNION SELECT stock_item_id FROM stock_reservations WHERE environment_id = $1 AND order_id = $2
  UNION SELECT reserved.stock_item_id FROM shipments
    JOIN stock_transfers AS transfers ON transfers.environment_id = $1 AND transfers.shipment_id = shipments.id
    JOIN stock_reservations AS reserved ON reserved.environment_id = $1 AND reserved.stock_transfer_id = transfers.id
    WHERE shipments.environment_id = $1 AND shipments.order_id = $2
  UNION SELECT reserved.stock_item_id FROM line_items
    JOIN stock_transfers AS transfers ON transfers.environment_id = $1 AND transfers.line_item_id = line_items.id
    JOIN stock_reservations AS reserved ON reserved.environment_id = $1 AND reserved.stock_transfer_id = transfers.id
    WHERE line_items.environment_id = $1 AND line_items.order_id = $2`

/** Somebody asked for units for a line, and not for a shipment. */
const TRANSFERS_OF_LINES = `shipment_id IS NULL AND line_item_id IN
  (SELECT id FROM line_items WHERE environment_id = $1 AND order_id = $2)`

const lockItems = async (order: number, step: StockStep): Promise<void> => {
  const values = [step.scope.environmentId, order]
  const items = await step.run<{ readonly stock_item_id: number }>({ text: ITEMS, values })
  await lockStockItems(
    items.map((row) => row.stock_item_id),
    step,
  )
}

/** What is promised leaves the stock, unless whoever packs takes it out by hand (inventory_models.manual_stock_decrement). */
export const takeStock = async (
  order: number,
  step: StockStep & Pick<ReactionStep, 'now'>,
): Promise<HeldStock> => {
  await lockItems(order, step)
  const isByHand = await isDecrementedByHand(order, step)
  const lines = (await readStockLines(order, step)).filter((line) => line.shipment_status !== 'cancelled')
  const { shortages, taken } = isByHand ? NOTHING_TAKEN : await takeOut(lines, step)
  const violations = outOfStockAmong(lines, shortages)
  if (violations.length > 0) return { violations, writes: [] }
  await release({ column: 'order_id', numbers: [order] }, step)
  const definition = step.registry.require('stock_line_items')
  const writes = taken.map((before) => ({ definition, before, columns: { decremented_at: step.now } }))
  return { violations: [], writes }
}

const NOTHING_TAKEN: TakenStock = { shortages: [], taken: [] }

const isDecrementedByHand = async (order: number, { run, scope }: StockStep): Promise<boolean> => {
  const text = `SELECT models.manual_stock_decrement AS is_manual FROM orders
    JOIN markets ON markets.environment_id = $1 AND markets.id = orders.market_id
    JOIN inventory_models AS models ON models.environment_id = $1 AND models.id = markets.inventory_model_id
    WHERE orders.environment_id = $1 AND orders.id = $2`
  const [model] = await run<{ readonly is_manual: boolean }>({ text, values: [scope.environmentId, order] })
  return model?.is_manual === true
}

/** Ends what an order holds: its shipments that have not left, its reservations, and what was taken for what did not leave. */
export const giveUpStock = async (order: number, step: ReactionStep): Promise<readonly RowWrite[]> => {
  await lockItems(order, step)
  const writes: RowWrite[] = []
  for (const shipment of await openShipments(order, step)) {
    const start = { transition: 'cancel' } as const
    const subject = { shipment, now: step.now }
    const { set, topics } = await transition(shipmentStates, shipment, { start, subject })
    const definition = step.registry.require('shipments')
    writes.push({ definition, before: shipment, columns: set, topics })
    writes.push(...(await giveUp(shipment.id, step)))
  }
  writes.push(...(await cancelTransfers(TRANSFERS_OF_LINES, order, step)))
  const lines = (await readStockLines(order, step)).filter((line) => line.shipment_id === null)
  const given = await giveBack(lines, step)
  await release({ column: 'order_id', numbers: [order] }, step)
  const definition = step.registry.require('stock_line_items')
  return [...writes, ...given.map((before) => ({ definition, before, columns: { decremented_at: null } }))]
}

const openShipments = (order: number, { run, scope }: StockStep): Promise<readonly RowOf<'Shipment'>[]> =>
  run<RowOf<'Shipment'>>({
    text: `SELECT * FROM shipments
      WHERE environment_id = $1 AND order_id = $2 AND status <> ALL($3::text[]) ORDER BY id`,
    values: [scope.environmentId, order, SHIPMENT_ENDED],
  })
