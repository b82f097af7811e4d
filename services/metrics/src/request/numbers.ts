/** Numbers of the body as exact text for the engine: what the caller wrote, never through binary arithmetic. */
import { limits } from './limits.ts'

/** `0.3`, `1e-9`: the digits of a number as JavaScript writes it, and where its point stands. */
const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** Digits after the point of the shortest decimal that means this number. */
const fractionDigits = (value: number): number => {
  const [, , , fraction = '', exponent = '0'] = WRITTEN.exec(String(value)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}

/** One that is compared as it was written: a decimal that the engine holds. */
export const isDecimal = (value: unknown): value is number =>
  typeof value === 'number' &&
  Number.isFinite(value) &&
  Math.abs(value) <= limits.numberMax &&
  fractionDigits(value) <= limits.fractionDigitsMax

const between = `a number between -${limits.numberMax} and ${limits.numberMax}`

export const decimalRule = `${between} with at most ${limits.fractionDigitsMax} digits after the point`
export const integerRule = `${between}, without a fraction`

/** Decimal text without exponent, e.g. `10.3`, `-0.00000012`. */
export const toDecimalText = (value: number): string => {
  const text = String(value)
  return text.includes('e') ? value.toFixed(fractionDigits(value)) : text
}
