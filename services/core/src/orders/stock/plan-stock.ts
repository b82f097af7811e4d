/** What an order takes from which stock item, and which reservations it needs for that. Pure. */
import type { RowOf } from '../../engine/database/rows.ts'
import { availableAt } from './stock-places.ts'
import type { StockPlace } from './stock-places.ts'

/** Units of a SKU that a line needs: the line is of the SKU, or of a bundle that has it, and then needs others too. */
export interface LineOfSku {
  readonly line: number
  readonly sku: number
  readonly quantity: number
  readonly isTracked: boolean
  /** Of a bundle. */
  readonly bundleCode?: string | null
}

export type StockLine = Pick<
  RowOf<'StockLineItem'>,
  'id' | 'line_item_id' | 'stock_item_id' | 'sku_id' | 'quantity'
>
export type Reservation = Pick<
  RowOf<'StockReservation'>,
  'id' | 'line_item_id' | 'stock_item_id' | 'quantity'
>

/** Units of a line that come from a stock item, or from nowhere in particular when the SKU is not tracked. */
export interface Share {
  readonly line: number
  readonly sku: number
  readonly stockItem: number | null
  readonly quantity: number
}

export interface AllocatedStock {
  readonly shares: readonly Share[]
  readonly shortages: readonly { readonly sku: number; readonly quantity: number; readonly missing: number }[]
}

/** What no stock line covers yet is taken from the first places that have it. */
export const allocateStock = (
  lines: readonly LineOfSku[],
  stockLines: readonly StockLine[],
  places: readonly StockPlace[],
): AllocatedStock => {
  const left = new Map(places.map((place) => [place.id, availableAt(place)]))
  for (const { stock_item_id: item, quantity } of stockLines)
    if (item !== null) left.set(item, (left.get(item) ?? 0) - quantity)
  const shares: Share[] = []
  const shortages: AllocatedStock['shortages'][number][] = []
  for (const { line, sku, isTracked, quantity } of lines) {
    let missing = quantity - coveredOf({ line, sku }, stockLines)
    if (missing > 0 && !isTracked) shares.push({ line, sku, stockItem: null, quantity: missing })
    if (!isTracked) continue
    for (const place of places.filter((each) => each.sku_id === sku && each.is_counted)) {
      const taken = Math.min(missing, left.get(place.id) ?? 0)
      if (taken <= 0) continue
      shares.push({ line, sku, stockItem: place.id, quantity: taken })
      left.set(place.id, (left.get(place.id) ?? 0) - taken)
      missing -= taken
    }
    if (missing > 0) shortages.push({ sku, quantity, missing })
  }
  return { shares, shortages }
}

/** What is planned to come from another location. */
export type PlannedTransfer = Pick<
  RowOf<'StockTransfer'>,
  'line_item_id' | 'sku_id' | 'quantity' | 'origin_stock_location_id'
>

export interface PlannedStock {
  readonly lines: readonly LineOfSku[]
  readonly stockLines: readonly StockLine[]
  readonly transfers: readonly PlannedTransfer[]
  readonly places: readonly StockPlace[]
}

/** Whether all units of tracked SKUs are planned, and every stock item still has what is planned to be taken from it. */
export const isPlanCovered = ({ lines, stockLines, transfers, places }: PlannedStock): boolean => {
  const planned = [...stockLines, ...transfers]
  if (lines.some((line) => line.isTracked && coveredOf(line, planned) !== line.quantity)) return false
  return places.every((place) => {
    const taken = stockLines.filter(({ stock_item_id: item }) => item === place.id)
    const sent = transfers.filter(
      ({ sku_id: sku, origin_stock_location_id: origin }) =>
        sku === place.sku_id && origin === place.stock_location_id,
    )
    return unitsOf([...taken, ...sent]) <= availableAt(place)
  })
}

const unitsOf = (planned: readonly { readonly quantity: number }[]): number =>
  planned.reduce((sum, { quantity }) => sum + quantity, 0)

const coveredOf = (
  { line, sku }: Pick<LineOfSku, 'line' | 'sku'>,
  planned: readonly Pick<StockLine, 'line_item_id' | 'sku_id' | 'quantity'>[],
): number => unitsOf(planned.filter((each) => each.line_item_id === line && each.sku_id === sku))

/** A reservation that stays, with the stock line it is now for; one that goes; and a stock line without one. */
export interface MatchedReservations<Wanted> {
  readonly kept: readonly { readonly reservation: Reservation; readonly wanted: Wanted }[]
  readonly released: readonly Reservation[]
  readonly missing: readonly Wanted[]
}

/** A reservation fits when it is of the same line, the same stock item and the same quantity. */
export const matchReservations = <
  Wanted extends { readonly line: number; readonly stockItem: number; readonly quantity: number },
>(
  wanted: readonly Wanted[],
  reservations: readonly Reservation[],
): MatchedReservations<Wanted> => {
  const open = [...reservations]
  const kept: MatchedReservations<Wanted>['kept'][number][] = []
  const missing: Wanted[] = []
  for (const each of wanted) {
    const at = open.findIndex(
      ({ line_item_id: line, stock_item_id: item, quantity }) =>
        line === each.line && item === each.stockItem && quantity === each.quantity,
    )
    const [reservation] = at < 0 ? [] : open.splice(at, 1)
    if (reservation === undefined) missing.push(each)
    else kept.push({ reservation, wanted: each })
  }
  return { kept, released: open, missing }
}
