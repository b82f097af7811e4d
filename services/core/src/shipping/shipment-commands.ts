/** What the triggers of a shipment start: moves of its status, and of its stock. */
import type { RowOf } from '../engine/database/rows.ts'
import type { Command, CommandContext } from '../engine/write/commands.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { StockStep } from '../inventory/move-stock.ts'
import { outOfStockAmong } from '../inventory/out-of-stock.ts'
import { release } from '../inventory/reservations.ts'
import { giveBack, releaseOf, reserveFor, takeOut } from '../inventory/stock-of-lines.ts'
import { TRANSFER_ENDED } from '../inventory/stock-transfer-states.ts'
import { whileInProgress } from '../inventory/while-in-progress.ts'
import { refusedCommand } from '../outside/not-called.ts'
import { transitionCommand } from '../states/transition-command.ts'
import { INSTEAD_OF_CARRIERS } from './carrier-accounts.ts'
import { shipmentStates } from './shipment-states.ts'
import type { ShipmentSubject } from './shipment-states.ts'
import { linesOfShipment } from './shipment-workflow.ts'

const subjectOf = async ({ number, row, step }: CommandContext): Promise<ShipmentSubject> => {
  const text = `SELECT count(*) AS open FROM stock_transfers
    WHERE environment_id = $1 AND shipment_id = $2 AND status <> ALL($3::text[])`
  const values = [step.scope.environmentId, number, TRANSFER_ENDED]
  const [counted] = await step.run<{ readonly open: number }>({ text, values })
  return { shipment: row, now: step.now, openTransfers: counted?.open ?? 0 }
}

const move = (trigger: `_${string}`): Command => transitionCommand(shipmentStates, trigger, subjectOf)

/** Nothing of the shipment leaves: what it has reserved, taken or asked for from elsewhere is given back. */
const cancel: Command = {
  trigger: '_cancel',
  run: async (context) => {
    const planned = await move('_cancel').run(context)
    if ((planned.violations ?? []).length > 0 || !('status' in (planned.set ?? {}))) return planned
    const { number, step } = context
    return { ...planned, writes: [...(planned.writes ?? []), ...(await giveUp(number, step))] }
  },
}

type Step = StockStep & Pick<CommandContext['step'], 'now'>

/** The writes that end what a shipment holds of stock. */
export const giveUp = async (shipment: number, step: Step): Promise<readonly RowWrite[]> => {
  const lines = await linesOfShipment(shipment, step)
  await releaseOf(lines, step)
  const given = await giveBack(lines, step)
  const definition = step.registry.require('stock_line_items')
  return [
    ...given.map((before) => ({ definition, before, columns: { decremented_at: null } })),
    ...(await cancelTransfers('shipment_id = $2', shipment, step)),
  ]
}

/** The writes that cancel the open transfers of a shipment or an order, whose number is $2 in `whose`. */
export const cancelTransfers = async (
  whose: string,
  number: number,
  step: Step,
): Promise<readonly RowWrite[]> => {
  const text = `SELECT * FROM stock_transfers
    WHERE environment_id = $1 AND ${whose} AND status <> ALL($3::text[]) ORDER BY id`
  const values = [step.scope.environmentId, number, TRANSFER_ENDED]
  const transfers = await step.run<RowOf<'StockTransfer'>>({ text, values })
  await release({ column: 'stock_transfer_id', numbers: transfers.map(({ id }) => id) }, step)
  const definition = step.registry.require('stock_transfers')
  const columns = { status: 'cancelled', cancelled_at: step.now }
  const topics = ['stock_transfers.cancel']
  return transfers.map((before) => ({ definition, before, columns, topics }))
}

const LINES = 'stock_line_items'

const byHand = whileInProgress('order', 'must have a fulfillment that is in_progress')

export const shipmentCommands: readonly Command[] = [
  move('_upcoming'),
  cancel,
  move('_on_hold'),
  move('_picking'),
  move('_packing'),
  move('_ready_to_ship'),
  move('_ship'),
  move('_deliver'),
  byHand('_reserve_stock', async ({ number, step }) => {
    const lines = await linesOfShipment(number, step)
    const { shortages, writes } = await reserveFor(lines, step)
    return shortages.length > 0 ? { violations: outOfStockAmong(lines, shortages, LINES) } : { writes }
  }),
  byHand('_release_stock', async ({ number, step }) => {
    await releaseOf(await linesOfShipment(number, step), step)
    return {}
  }),
  byHand('_decrement_stock', async ({ number, step }) => {
    const lines = await linesOfShipment(number, step)
    const { shortages, taken } = await takeOut(lines, step)
    if (shortages.length > 0) return { violations: outOfStockAmong(lines, shortages, LINES) }
    const definition = step.registry.require('stock_line_items')
    return { writes: taken.map((before) => ({ definition, before, columns: { decremented_at: step.now } })) }
  }),
  refusedCommand('carrier_accounts', '_get_rates', INSTEAD_OF_CARRIERS),
  refusedCommand('carrier_accounts', '_purchase', INSTEAD_OF_CARRIERS),
]
