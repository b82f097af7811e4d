/**
 * JSON whose numbers are kept as they were written, or are recognizable: what double precision would change reads as
 * ±Infinity, which no JSON number is, so that whoever judges the value refuses it.
 */
import { isDeeperThan } from './json-values.ts'

/** Texts that may hold a number to look at twice; most hold none, and are parsed once. */
const SUSPECT = /[:,[]\s*-?(?:\d{16}|\d[\d.]*[eE]|0\.0{300})/

/** Deeper than any document that is taken; what is nested deeper is refused, whatever its numbers are. */
const LEVELS_MAX = 100

/** The third argument of a reviver in Node 24; TypeScript does not know it yet. The text of a primitive value. */
interface Context {
  readonly source?: string
}

/**
 * As `JSON.parse`, but ±Infinity for numbers that would be another one: too large, so small that nothing is left,
 * or beyond ±(2^53 - 1) with digits lost. The digits of a fraction beyond the 17th are not looked at.
 *
 * @throws SyntaxError when the text is not JSON
 * @example parseExactJson('{"a":0.1,"b":1e500,"c":9007199254740993}') // { a: 0.1, b: Infinity, c: Infinity }
 */
export const parseExactJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  // the second reading calls itself for each level
  if (!SUSPECT.test(text) || isDeeperThan(value, LEVELS_MAX)) return value
  return JSON.parse(text, (_key, part: unknown, context?: Context) =>
    typeof part === 'number' && context?.source !== undefined ? toExactNumber(context.source) : part,
  )
}

/** The number that a decimal text means; ±Infinity where double precision would make another one of it. */
export const toExactNumber = (text: string): number => {
  const value = Number(text)
  return isKept(text, value) ? value : text.trimStart().startsWith('-') ? -Infinity : Infinity
}

const isKept = (text: string, value: number): boolean => {
  if (value === 0) return decimalOf(text).digits === ''
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return true
  const sent = decimalOf(text)
  const kept = decimalOf(String(value))
  return sent.digits === kept.digits && sent.exponent === kept.exponent
}

/** `digits` × 10^`exponent`, without sign and without zeros at either end; zero has no digits. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

const decimalOf = (text: string): Decimal => {
  const [mantissa = '', power = '0'] = text.trim().replace(/^[+-]/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutTrailingZeros(digits)
  return {
    digits: significant,
    exponent: Number(power) - fraction.length + digits.length - significant.length,
  }
}

/** Not by an expression: /0+$/ takes the square of the time where zeros are followed by something else. */
const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
