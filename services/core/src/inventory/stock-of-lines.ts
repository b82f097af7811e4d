/** What stock line items do to stock: reserve it, let it go, take it out, give it back. */
import type { Row } from '@merx/jsonapi/attributes'
import type { CommandOutcome } from '../engine/write/commands.ts'
import { numberOf } from '../engine/write/persist.ts'
import { moveStock } from './move-stock.ts'
import type { StockStep } from './move-stock.ts'
import { outOfStock } from './out-of-stock.ts'
import { release, reserve } from './reservations.ts'

/** Lines of a stock item, which are all but those of SKUs that are not tracked. */
const ofStock = (lines: readonly Row[]): readonly Row[] =>
  lines.filter((line) => typeof line['stock_item_id'] === 'number')

const isTaken = (line: Row): boolean => line['decremented_at'] instanceof Date

/** Reserves what the lines have neither reserved nor taken yet. `order` is the number of their order. */
export const reserveFor = async (
  lines: readonly Row[],
  step: StockStep & { readonly locked?: Row | undefined },
): Promise<CommandOutcome> => {
  const open = ofStock(lines).filter((line) => !isTaken(line))
  const text = `SELECT stock_line_item_id FROM stock_reservations
    WHERE environment_id = $1 AND stock_line_item_id = ANY($2::bigint[])`
  const found = await step.run({ text, values: [step.scope.environmentId, open.map(numberOf)] })
  const reserved = new Set(found.map((row) => row['stock_line_item_id']))
  const wanted = open
    .filter((line) => !reserved.has(line['id']))
    .map((line) => ({
      stockItem: Number(line['stock_item_id']),
      quantity: Number(line['quantity']),
      order: step.locked === undefined ? null : numberOf(step.locked),
      lineItem: typeof line['line_item_id'] === 'number' ? line['line_item_id'] : null,
      stockLineItem: numberOf(line),
    }))
  const { shortages, writes } = await reserve(wanted, step)
  return shortages.length > 0 ? { violations: outOfStock(shortages) } : { writes }
}

/** Ends what is reserved for the lines. */
export const releaseOf = (lines: readonly Row[], step: StockStep): Promise<readonly Row[]> =>
  release({ column: 'stock_line_item_id', numbers: lines.map(numberOf) }, step)

/** Takes the lines out of stock, with their reservations; returns those that were not out before. */
export const takeOut = async (lines: readonly Row[], step: StockStep): Promise<readonly Row[]> => {
  const open = ofStock(lines).filter((line) => !isTaken(line))
  const ended = await release({ column: 'stock_line_item_id', numbers: open.map(numberOf) }, step, 'taken')
  const done = new Set(ended.map((row) => row['stock_line_item_id']))
  const unreserved = open.filter((line) => !done.has(line['id']))
  await moveStock(
    unreserved.map((line) => ({
      stockItem: Number(line['stock_item_id']),
      quantity: -Number(line['quantity']),
    })),
    step,
  )
  return open
}

/** Puts back what the lines have taken; returns those that had taken something. */
export const giveBack = async (lines: readonly Row[], step: StockStep): Promise<readonly Row[]> => {
  const taken = ofStock(lines).filter(isTaken)
  await moveStock(
    taken.map((line) => ({ stockItem: Number(line['stock_item_id']), quantity: Number(line['quantity']) })),
    step,
  )
  return taken
}
