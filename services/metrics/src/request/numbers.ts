/** Numbers of the body as exact text for the engine: what the caller wrote, never through binary arithmetic. */
import { limits } from './limits.ts'

export const isFiniteNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limits.numberMax

export const numberRule = `a number between -${limits.numberMax} and ${limits.numberMax}`

const FRACTION_DIGITS_MAX = 8

/** Decimal text without exponent and with at most 8 fraction digits, e.g. `10.3`, `-0.00000012`. */
export const toDecimalText = (value: number): string => {
  const text = String(value)
  return text.includes('e') ? value.toFixed(FRACTION_DIGITS_MAX) : cutFraction(text)
}

const cutFraction = (text: string): string => {
  const [whole = '0', fraction] = text.split('.')
  return fraction === undefined ? whole : `${whole}.${fraction.slice(0, FRACTION_DIGITS_MAX)}`
}
