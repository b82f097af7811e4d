/** Whether engines returned the same rows, whatever types their drivers have for numbers. Pure. */
import type { Values } from './line-engine.ts'

/** Of numbers with a fraction; whole ones are compared as text. */
const TOLERANCE = 1e-9

const flat = (values: Values): readonly unknown[] => values.flat(Number.POSITIVE_INFINITY)

const isWhole = (text: string): boolean => /^-?\d+$/.test(text)

const isSameValue = (a: unknown, b: unknown): boolean => {
  const [left, right] = [String(a), String(b)]
  if (left === right) return true
  if (a === null || b === null || (isWhole(left) && isWhole(right))) return false
  const [x, y] = [Number(left), Number(right)]
  // NaN, of a text that is no number, is never close
  return Math.abs(x - y) <= TOLERANCE * Math.max(1, Math.abs(x), Math.abs(y))
}

const isSameRow = (a: Values, b: Values): boolean => {
  const [left, right] = [flat(a), flat(b)]
  return left.length === right.length && left.every((value, at) => isSameValue(value, right[at]))
}

/** Undefined when the rows are the same; else the first difference, in words. */
export const differenceOf = (a: readonly Values[], b: readonly Values[]): string | undefined => {
  if (a.length !== b.length) return `${a.length} rows and ${b.length}`
  const at = a.findIndex((row, index) => !isSameRow(row, b[index] ?? []))
  return at < 0 ? undefined : `row ${at + 1}: ${JSON.stringify(a[at])} and ${JSON.stringify(b[at])}`
}
