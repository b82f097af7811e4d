/** Numbers of the body as exact text for the engine: what the caller meant, never through binary arithmetic of ours. */
import { limits } from './limits.ts'

/** `0.3`, `1e-9`: the digits of a number as JavaScript writes it, and where its point stands. */
const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** Digits after the point of the shortest decimal that means this number. */
const fractionDigits = (value: number): number => {
  const [, , , fraction = '', exponent = '0'] = WRITTEN.exec(String(value)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}

/** What binary arithmetic of a caller adds to a decimal, as its share: 0.1 + 0.2 is 0.30000000000000004. */
const NOISE = 4 * Number.EPSILON

/** The decimal that was meant where only such noise makes it a longer one. */
const withoutNoise = (value: number): number => {
  const rounded = Number(value.toFixed(limits.fractionDigitsMax))
  return Math.abs(rounded - value) <= Math.abs(value) * NOISE ? rounded : value
}

/** One that is compared as it was meant: a decimal that the engine holds. */
export const isDecimal = (value: unknown): value is number =>
  typeof value === 'number' &&
  Number.isFinite(value) &&
  Math.abs(value) <= limits.numberMax &&
  fractionDigits(withoutNoise(value)) <= limits.fractionDigitsMax

const between = `a number between -${limits.numberMax} and ${limits.numberMax}`

export const decimalRule = `${between} with at most ${limits.fractionDigitsMax} digits after the point`
export const integerRule = `${between}, without a fraction`

/** Decimal text without exponent, e.g. `10.3`, `-0.00000012`. */
export const toDecimalText = (value: number): string => {
  const decimal = withoutNoise(value)
  const text = String(decimal)
  return text.includes('e') ? decimal.toFixed(fractionDigits(decimal)) : text
}
