/** Values that are known only when a rule is asked: `{{today}}`, `{{month(order.placed_at)}}`, `{{range(today, 7.days)}}`. */
import type { AskedTree } from './asked-tree.ts'

const EXPRESSION = /^\{\{\s*(.+?)\s*\}\}$/
const CALL = /^(year|month|day)\(\s*([a-z0-9_.]+)\s*\)$/
const RANGE = /^range\(\s*([a-z0-9_.]+)\s*,\s*(-?\d{1,4})\.(days|months|years)\s*\)$/
const NAME = /^(today|(order|price)(\.[a-z0-9_]+)+)$/

export const isDynamic = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('{{')

/** Whether an expression is one of those above. */
export const isKnownExpression = (value: string): boolean => {
  const inner = EXPRESSION.exec(value)?.[1] ?? ''
  const named = CALL.exec(inner)?.[2] ?? RANGE.exec(inner)?.[1] ?? inner
  return NAME.test(named)
}

/** The value itself where it is not an expression; null where the subject has none. Days are those of UTC. */
export const resolveValue = (value: unknown, asked: AskedTree): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => resolveValue(one, asked))
  if (!isDynamic(value)) return value
  const inner = EXPRESSION.exec(value)?.[1] ?? ''
  const call = CALL.exec(inner)
  if (call !== null) return partOf(call[1] ?? '', dateOf(call[2] ?? '', asked))
  const range = RANGE.exec(inner)
  if (range !== null) return rangeOf(dateOf(range[1] ?? '', asked), Number(range[2]), range[3] ?? '')
  return textOf(inner, asked)
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

const textOf = (name: string, { now, find }: AskedTree): unknown =>
  name === 'today' ? dayOf(now) : find(name)[0]?.value

const dateOf = (name: string, asked: AskedTree): Date | undefined => {
  const value = textOf(name, asked)
  const date = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const partOf = (part: string, date: Date | undefined): number | null => {
  if (date === undefined) return null
  if (part === 'year') return date.getUTCFullYear()
  return part === 'month' ? date.getUTCMonth() + 1 : date.getUTCDate()
}

/** The earlier end first; a month later than the 31st of January is the last of February. */
const rangeOf = (date: Date | undefined, count: number, unit: string): readonly string[] | null => {
  if (date === undefined) return null
  const other =
    unit === 'days' ? afterDays(date, count) : afterMonths(date, unit === 'years' ? count * 12 : count)
  return [date, other].map((each) => each.toISOString()).toSorted()
}

const DAY_MS = 24 * 3600 * 1000

const afterDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)

const afterMonths = (date: Date, months: number): Date => {
  const later = new Date(date)
  later.setUTCMonth(later.getUTCMonth() + months)
  // The day does not exist in that month: setUTCMonth went on into the next one.
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0)
  return later
}
