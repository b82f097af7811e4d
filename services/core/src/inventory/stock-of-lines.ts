/** What stock line items do to stock: reserve it, let it go, take it out, give it back. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import { lockStockItems, moveStock } from './move-stock.ts'
import type { StockShortage, StockStep } from './move-stock.ts'
import { release, reserve } from './reservations.ts'

type StockLine = RowOf<'StockLineItem'>

/** Lines of a stock item, which are all but those of SKUs that are not tracked. */
const ofStock = (lines: readonly StockLine[]) =>
  lines.flatMap((line) => (line.stock_item_id === null ? [] : [{ line, stockItem: line.stock_item_id }]))

const isTaken = ({ line }: { readonly line: StockLine }): boolean => line.decremented_at !== null

export interface ReservedForLines {
  readonly shortages: readonly StockShortage[]
  readonly writes: readonly RowWrite[]
}

/** Reserves what the lines have neither reserved nor taken yet, for the order that is locked. Nothing when there is too little. */
export const reserveFor = async (
  lines: readonly StockLine[],
  step: StockStep & { readonly locked?: Row | undefined },
): Promise<ReservedForLines> => {
  const open = ofStock(lines).filter((each) => !isTaken(each))
  const text = `SELECT stock_line_item_id FROM stock_reservations
    WHERE environment_id = $1 AND stock_line_item_id = ANY($2::bigint[])`
  const found = await step.run<Pick<RowOf<'StockReservation'>, 'stock_line_item_id'>>({
    text,
    values: [step.scope.environmentId, open.map(({ line }) => line.id)],
  })
  const reserved = new Set(found.map((row) => row.stock_line_item_id))
  const wanted = open
    .filter(({ line }) => !reserved.has(line.id))
    .map(({ line, stockItem }) => ({
      stockItem,
      quantity: line.quantity,
      order: step.locked === undefined ? null : numberOf(step.locked),
      lineItem: line.line_item_id,
      stockLineItem: line.id,
    }))
  return reserve(wanted, step)
}

/** Ends what is reserved for the lines. */
export const releaseOf = (
  lines: readonly StockLine[],
  step: StockStep,
): Promise<readonly RowOf<'StockReservation'>[]> =>
  release({ column: 'stock_line_item_id', numbers: lines.map(({ id }) => id) }, step)

export interface TakenStock {
  /** What was promised to somebody else, or is not there; then the write must fail. */
  readonly shortages: readonly StockShortage[]
  /** Lines that were not out before. */
  readonly taken: readonly StockLine[]
}

/**
 * Takes the lines out of stock, with their reservations. A reservation that somebody changed by hand does not change how much a
 * line takes.
 */
export const takeOut = async (lines: readonly StockLine[], step: StockStep): Promise<TakenStock> => {
  const open = ofStock(lines).filter((each) => !isTaken(each))
  await lockStockItems(
    open.map(({ stockItem }) => stockItem),
    step,
  )
  const numbers = open.map(({ line }) => line.id)
  const ended = await release({ column: 'stock_line_item_id', numbers }, step, 'taken')
  const done = Map.groupBy(ended, (row) => row.stock_line_item_id)
  const takenOf = (line: number): number =>
    (done.get(line) ?? []).reduce((sum, { quantity }) => sum + quantity, 0)
  const left = open.map(({ line, stockItem }) => ({ stockItem, quantity: takenOf(line.id) - line.quantity }))
  const { shortages } = await moveStock(
    left.filter(({ quantity }) => quantity !== 0),
    step,
  )
  return { shortages, taken: open.map(({ line }) => line) }
}

/** Puts back what the lines have taken; returns those that had taken something. */
export const giveBack = async (
  lines: readonly StockLine[],
  step: StockStep,
): Promise<readonly StockLine[]> => {
  const taken = ofStock(lines).filter(isTaken)
  await moveStock(
    taken.map(({ line, stockItem }) => ({ stockItem, quantity: line.quantity })),
    step,
  )
  return taken.map(({ line }) => line)
}
