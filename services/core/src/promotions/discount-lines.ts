/** What the actions of rules take off the lines of an order, one action after the other, each from what is left. Pure. */
import { ratioOf } from '../definitions/ratio.ts'
import type { Action } from '../rules-engine/rules.ts'
import { valueOf } from '../rules-engine/rules.ts'
import { shareOut } from './allocate.ts'
import { byWorth, freeUnits, worthOfUnits } from './discounted-order.ts'
import type { Allocation, DiscountedOrder, OpenLine } from './discounted-order.ts'

/** An action for lines of an order by their position, as many units of each. */
export interface LineAction {
  readonly action: Action
  readonly units: ReadonlyMap<number, number>
  /** Positions of lines → their price before discounts, for actions on it. */
  readonly compareAtCents: ReadonlyMap<number, number>
  /** Of `every_x_discount_y`. */
  readonly intervalCents: number
}

interface Part {
  readonly line: OpenLine
  readonly units: number
  /** What the action is about: what is left of the units, or their price before discounts. */
  readonly cents: number
}

/** One entry for each line that any of the actions is for; the order in which lines were added does not matter. */
export const discountLines = (
  actions: readonly LineAction[],
  order: Pick<DiscountedOrder, 'lines'>,
): readonly Allocation[] => {
  const lines = order.lines.toSorted(byWorth)
  const taken = new Map<number, number>()
  for (const action of actions) {
    const parts = partsOf(action, lines, taken)
    const cents = centsOf(action, parts)
    for (const [at, { line }] of parts.entries())
      taken.set(line.at, (taken.get(line.at) ?? 0) + Math.min(line.leftCents, cents[at] ?? 0))
  }
  return lines.flatMap((line) => {
    const cents = taken.get(line.at)
    return cents === undefined ? [] : [{ line, cents }]
  })
}

/** Of the order itself the goods, and with `apply_on` of the total the shipping too; of lines what the selector names. */
const isFor = ({ selector, apply_on: on }: Action, { group }: OpenLine): boolean => {
  if (selector === 'order') return group === 'goods' || on === 'total_amount_cents'
  return selector.startsWith('order.line_items.shipment') ? group === 'shipping' : group === 'goods'
}

const partsOf = (
  { action, units, compareAtCents }: LineAction,
  lines: readonly OpenLine[],
  taken: ReadonlyMap<number, number>,
): readonly Part[] =>
  lines
    .filter((line) => units.has(line.at) && isFor(action, line))
    .map((line) => {
      const count = units.get(line.at) ?? 0
      const open = { ...line, leftCents: line.leftCents - (taken.get(line.at) ?? 0) }
      const own = count === line.quantity ? open.leftCents : worthOfUnits(open, count)
      const compared = compareAtCents.get(line.at)
      const isCompared = action.apply_on === 'compare_at_amount_cents' && compared !== undefined
      const cents = isCompared ? compared * count : own
      return { line: open, units: count, cents }
    })

const MILLION = 1_000_000

const centsOf = (planned: LineAction, parts: readonly Part[]): readonly number[] => {
  const { action, intervalCents } = planned
  const { x = 1, y = 0, quantity = 1, result_item_limit: most } = valueOf(action)
  const worths = parts.map(({ cents }) => cents)
  const sum = worths.reduce(add, 0)
  const isWhole = action.selector === 'order'
  const number = typeof action.value === 'object' ? 0 : Number(action.value)
  const shared = (cents: number) => shareOut(Math.min(cents, sum), worths)
  switch (action.type) {
    case 'percentage': {
      const millionths = Math.round(number * MILLION)
      if (action.round === true) return worths.map((cents) => ratioOf(cents, millionths, MILLION))
      return shared(ratioOf(sum, millionths, MILLION))
    }
    case 'fixed_amount':
      return isWhole || action.discount_mode === 'distributed'
        ? shared(number)
        : parts.map(({ units }) => number * units)
    case 'fixed_price':
      return isWhole
        ? shared(Math.max(0, sum - number))
        : parts.map(({ cents, units }) => Math.max(0, cents - number * units))
    case 'buy_x_pay_y': {
      const free = Math.floor(countOf(parts) / x) * (x - y)
      return freeOf(parts, Math.min(free, most ?? free))
    }
    case 'every_x_discount_y':
      return shareByUnits(Math.floor(intervalCents / x) * y, parts)
    case 'free_gift':
      return freeOf(parts, quantity)
  }
}

/** In proportion to units; what a line is not worth goes to the others, as long as they are worth it. */
const shareByUnits = (amountCents: number, parts: readonly Part[]): readonly number[] => {
  const shares = parts.map(() => 0)
  const roomOf = ({ line, cents }: Part, at: number): number =>
    Math.min(cents, line.leftCents) - (shares[at] ?? 0)
  let rest = Math.min(amountCents, parts.map(roomOf).reduce(add, 0))
  while (rest > 0) {
    const wanted = shareOut(
      rest,
      parts.map((part, at) => (roomOf(part, at) > 0 ? part.units : 0)),
    )
    const given = parts.map((part, at) => Math.min(wanted[at] ?? 0, roomOf(part, at)))
    for (const [at, cents] of given.entries()) shares[at] = (shares[at] ?? 0) + cents
    rest -= given.reduce(add, 0)
  }
  return shares
}

const add = (sum: number, value: number): number => sum + value

const countOf = (parts: readonly Part[]): number => parts.reduce((sum, { units }) => sum + units, 0)

/** The cheapest units, of those that the action is for. */
const freeOf = (parts: readonly Part[], units: number): readonly number[] => {
  const lines = parts.map(({ line, units: quantity }) => ({ ...line, quantity }))
  return freeUnits(units, lines).map(({ cents }) => cents)
}
