/**
 * How amounts, rates and instants stand in a row: as text in lines of JSON, as numbers in blocks. Pure. Nothing is computed in
 * binary fractions.
 */
import { isThere, toMs } from './instants.ts'

export interface Form {
  /** Minor units of the record's currency. */
  readonly money: (cents: number) => unknown
  /** A share between 0 and 1, as decimal text. */
  readonly rate: (text: string) => unknown
  /** As documents have them: `2022-06-27T06:01:32.361Z`. */
  readonly instant: (instant: string) => unknown
  readonly instantOrNull: (instant: string | null) => unknown
}

/** The value may be right all the same: the engine judges it when it comes as text. */
export class NotNative extends Error {
  override readonly name = 'NotNative'
}

/** `2022-06-27T06:01:32.361Z` → `2022-06-27 06:01:32.361`. */
export const toInstant = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, -1)}`

/** 1234 with 2 digits → `12.34`; -5 with 3 digits → `-0.005`. */
export const toDecimal = (minorUnits: number, digits: number): string => {
  if (digits === 0) return String(minorUnits)
  const units = Math.abs(minorUnits)
  const unit = 10 ** digits
  const rest = units % unit // exact, and so is what is left without it
  const sign = minorUnits < 0 ? '-' : ''
  return `${sign}${(units - rest) / unit}.${String(rest).padStart(digits, '0')}`
}

/** For a currency with so many digits after the point. */
export const lineForm = (digits: number): Form => ({
  money: (cents) => toDecimal(cents, digits),
  rate: (text) => text,
  instant: toInstant,
  instantOrNull: (instant) => (instant === null ? null : toInstant(instant)),
})

/** Of amounts and of rates in the tables: Decimal(18, 4) and Decimal(18, 8). */
const [MONEY_SCALE, RATE_UNITS] = [4, 1e8]
/** Within what the engine keeps exactly. */
const [INSTANT_MIN, INSTANT_MAX] = [Date.UTC(1901, 0, 1), Date.UTC(2299, 0, 1)]

const toMilliseconds = (instant: string): number => {
  const at = toMs(instant)
  if (at < INSTANT_MIN || at >= INSTANT_MAX || !isThere(instant))
    throw new NotNative('not an instant that the engine keeps')
  return at
}

const createBlockForm = (digits: number): Form => {
  const factor = 10 ** (MONEY_SCALE - digits)
  return {
    money: (cents) => cents * factor, // whether that is exact is judged where it is written
    rate: (text) => Math.round(Number(text) * RATE_UNITS),
    instant: toMilliseconds,
    instantOrNull: (instant) => (instant === null ? null : toMilliseconds(instant)),
  }
}

const blockForms = [0, 1, 2, 3, 4].map(createBlockForm)

/**
 * Amounts in ten-thousandths, rates in hundred-millionths, instants in milliseconds; `NotNative` for an instant that is not there.
 * Throws an Error for digits that no document has.
 */
export const blockForm = (digits: number): Form => {
  const form = blockForms[digits]
  if (form === undefined) throw new Error(`a currency with ${digits} digits has no form in blocks`)
  return form
}
