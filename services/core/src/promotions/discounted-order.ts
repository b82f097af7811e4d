/**
 * The order as promotions see it, one after the other: lines with what is left of them, and which lists their articles are in.
 * Amounts are whole cents before tax is added; nothing here reads or writes anything.
 */
import type { ListedSkus } from '../catalogue/listed-skus.ts'
import { ratioOf } from '../definitions/ratio.ts'
import { shareOut } from './allocate.ts'

export interface DiscountableLine {
  /** Where the line is among those that were given. */
  readonly at: number
  /** Of a stored line, its number. */
  readonly number: number | null
  readonly group: 'goods' | 'shipping'
  readonly itemType: string | null
  readonly item: number | null
  /** Of a bundle, the list that its SKUs are of. */
  readonly bundleList: number | null
  readonly quantity: number
  readonly unitAmountCents: number
  /** Of all units, with options. */
  readonly totalCents: number
  readonly taxRate: number
}

/** A line and what the promotions so far have left of it. */
export interface OpenLine extends DiscountableLine {
  readonly leftCents: number
  /** A promotion has decided what its units cost, and no other of that sort does. */
  readonly isPriced: boolean
}

export interface DiscountedOrder {
  readonly lines: readonly OpenLine[]
  /** Number of a list → what of the order is in it. */
  readonly lists: ReadonlyMap<number, ListedSkus>
  /** Of the goods, before promotions. */
  readonly subtotalCents: number
  /** What the goods and adjustments cost after the promotions so far; neither shipping nor payment costs are in it. */
  readonly amountCents: number
}

/** What a promotion takes off one of the lines that it is for: zero or more, at most what is left. */
export interface Allocation {
  readonly line: OpenLine
  readonly cents: number
}

const isIn = (line: OpenLine, list: number, lists: DiscountedOrder['lists']): boolean => {
  if (line.item === null) return false
  if (line.itemType === 'bundles') return line.bundleList === list
  return line.itemType === 'skus' && lists.get(list)?.skus.has(line.item) === true
}

/** Lines of articles: of a list, or all. Their order says nothing about the order in which they were added. */
export const goodsOf = ({ lines, lists }: DiscountedOrder, list: number | null): readonly OpenLine[] =>
  lines
    .filter((line) => line.group === 'goods' && (list === null || isIn(line, list, lists)))
    .toSorted(byWorth)

/** Lines that are alike in all of this are the same to a promotion. */
export const byWorth = (a: OpenLine, b: OpenLine): number =>
  b.leftCents - a.leftCents ||
  b.taxRate - a.taxRate ||
  b.totalCents - a.totalCents ||
  b.unitAmountCents - a.unitAmountCents ||
  b.quantity - a.quantity ||
  (a.item ?? 0) - (b.item ?? 0)

export const sumLeft = (lines: readonly OpenLine[]): number =>
  lines.reduce((sum, { leftCents }) => sum + leftCents, 0)

/** Divides cents over lines in proportion to what is left of them, as far as that goes. */
export const allocate = (cents: number, lines: readonly OpenLine[]): readonly Allocation[] => {
  const left = lines.map(({ leftCents }) => leftCents)
  const shares = shareOut(Math.min(cents, sumLeft(lines)), left)
  return lines.map((line, at) => ({ line, cents: shares[at] ?? 0 }))
}

/** What is left of some units of a line, without its options: their part of the line, rounded half up. */
export const worthOfUnits = ({ leftCents, totalCents, unitAmountCents }: OpenLine, units: number): number =>
  totalCents <= 0 ? 0 : Math.min(leftCents, ratioOf(leftCents, unitAmountCents * units, totalCents))

/** Makes so many units free, the cheapest first. One allocation for each line. */
export const freeUnits = (units: number, lines: readonly OpenLine[]): readonly Allocation[] => {
  let open = units
  const free = new Map<number, number>()
  for (const line of lines.toReversed().toSorted((a, b) => a.unitAmountCents - b.unitAmountCents)) {
    const taken = Math.min(open, line.quantity)
    open -= taken
    free.set(line.at, taken)
  }
  return lines.map((line) => ({ line, cents: worthOfUnits(line, free.get(line.at) ?? 0) }))
}
