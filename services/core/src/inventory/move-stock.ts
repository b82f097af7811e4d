/**
 * The only place that changes how much of a stock item there is and how much is promised. Stock items are locked in the order
 * of their numbers until the transaction ends, so that two writers wait for each other and never for a circle (docs/adr/0078).
 */
import type { RowOf } from '../engine/database/rows.ts'
import { reserveNumbers } from '../engine/sql/reserve-numbers.ts'
import { numberOf, persist } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export type StockStep = Pick<WorkflowStep, 'run' | 'registry' | 'scope' | 'actor'>

export interface StockMovement {
  readonly stockItem: number
  /** More or less that is promised. */
  readonly reserved?: number
  /** More or less that is there. */
  readonly quantity?: number
}

export interface StockShortage {
  readonly stockItem: number
  readonly wanted: number
  readonly available: number
}

export interface MovedStock {
  /** What could not be promised or taken; then nothing was moved. */
  readonly shortages: readonly StockShortage[]
  /** Stock item → what a reservation of it refers to. */
  readonly items: ReadonlyMap<number, { readonly reservedStock: number; readonly sku: number }>
}

type Reserved = Pick<RowOf<'ReservedStock'>, 'id' | 'stock_item_id' | 'sku_id' | 'quantity'>

interface Holding {
  readonly item: RowOf<'StockItem'>
  readonly reserved: Reserved
  readonly isNew: boolean
}

const LOCK = `SELECT * FROM stock_items WHERE environment_id = $1 AND id = ANY($2::bigint[])
  ORDER BY id FOR NO KEY UPDATE`

/** Locks the stock items and returns them as they are now. */
export const lockStockItems = (
  numbers: readonly number[],
  { run, scope }: Pick<StockStep, 'run' | 'scope'>,
): Promise<readonly RowOf<'StockItem'>[]> =>
  run<RowOf<'StockItem'>>({ text: LOCK, values: [scope.environmentId, [...new Set(numbers)]] })

/**
 * Moves all or nothing. More is promised, or taken without having been promised, only while it is there and promised to nobody
 * else; what was promised is taken although a merchant has counted less meanwhile, and never leaves less than nothing. It is
 * written at once, so that a later step of the transaction sees it.
 */
export const moveStock = async (
  movements: readonly StockMovement[],
  step: StockStep,
): Promise<MovedStock> => {
  const totals = sumMovements(movements)
  const holdings = await holdingsOf([...totals.keys()], step)
  const shortages = [...totals].flatMap(([stockItem, { reserved, quantity }]): readonly StockShortage[] => {
    const holding = holdings.get(stockItem)
    const available = holding === undefined ? 0 : availableIn(holding)
    const wanted = reserved - quantity
    return wanted > 0 && available < wanted ? [{ stockItem, wanted, available }] : []
  })
  const items = new Map(
    [...holdings].map(([number, { item, reserved }]) => [
      number,
      { reservedStock: reserved.id, sku: item.sku_id },
    ]),
  )
  if (shortages.length > 0) return { shortages, items }
  const writes = [...holdings].flatMap(([number, holding]) => writesOf(holding, totals.get(number), step))
  await persist(writes, {
    run: step.run,
    registry: step.registry,
    environmentId: step.scope.environmentId,
    actor: step.actor,
  })
  return { shortages: [], items }
}

const availableIn = ({ item, reserved }: Holding): number => item.quantity - reserved.quantity

type Totals = ReadonlyMap<number, { readonly reserved: number; readonly quantity: number }>

const sumMovements = (movements: readonly StockMovement[]): Totals => {
  const totals = new Map<number, { reserved: number; quantity: number }>()
  for (const { stockItem, reserved = 0, quantity = 0 } of movements) {
    const sum = totals.get(stockItem) ?? { reserved: 0, quantity: 0 }
    totals.set(stockItem, { reserved: sum.reserved + reserved, quantity: sum.quantity + quantity })
  }
  return totals
}

/** Sent at once, but the promised quantities are read after the lock was granted: whoever held it has written them by then. */
const holdingsOf = async (
  numbers: readonly number[],
  step: StockStep,
): Promise<ReadonlyMap<number, Holding>> => {
  const { run, scope } = step
  const text = `SELECT * FROM reserved_stocks WHERE environment_id = $1 AND stock_item_id = ANY($2::bigint[])`
  const [items, found] = await Promise.all([
    lockStockItems(numbers, step),
    run<RowOf<'ReservedStock'>>({ text, values: [scope.environmentId, numbers] }),
  ])
  const byItem = new Map(found.map((row) => [row.stock_item_id, row]))
  const missing = items.filter(({ id }) => !byItem.has(id))
  const fresh =
    missing.length === 0 ? [] : [...(await run(reserveNumbers('reserved_stocks', missing.length)))]
  return new Map(
    items.map((item): readonly [number, Holding] => {
      const number = item.id
      const reserved = byItem.get(number)
      if (reserved !== undefined) return [number, { item, reserved, isNew: false }]
      const row = {
        id: numberOf(fresh.shift() ?? {}),
        stock_item_id: number,
        sku_id: item.sku_id,
        quantity: 0,
      }
      return [number, { item, reserved: row, isNew: true }]
    }),
  )
}

const writesOf = (
  { item, reserved, isNew }: Holding,
  moved: { readonly reserved: number; readonly quantity: number } | undefined,
  { registry }: StockStep,
): readonly RowWrite[] => {
  const promised = reserved.quantity + (moved?.reserved ?? 0)
  if (promised < 0) throw new Error(`stock item ${item.id} would have less than nothing reserved`)
  const { id, ...columns } = reserved
  const definition = registry.require('reserved_stocks')
  const counted: readonly RowWrite[] = isNew
    ? [{ definition, number: id, before: undefined, columns: { ...columns, quantity: promised } }]
    : promised === reserved.quantity
      ? []
      : [{ definition, before: reserved, columns: { quantity: promised } }]
  const left = Math.max(0, item.quantity + (moved?.quantity ?? 0))
  if (left === item.quantity) return counted
  return [
    ...counted,
    { definition: registry.require('stock_items'), before: item, columns: { quantity: left } },
  ]
}
