/** Numbers, amounts and times as people write them in the language of the page. */
import { locale } from '../language/text.ts'

export const formatAmount = (value: number, currency: string): string =>
  new Intl.NumberFormat(locale(), { style: 'currency', currency }).format(value)

/** Decimals of a currency: two of EUR, none of JPY. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat(locale(), { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
  2

/** An amount in the smallest unit of its currency, as core counts. */
export const formatAmountOf = (cents: number, currency: string): string =>
  formatAmount(cents / 10 ** digitsOf(currency), currency)

/** The same; nothing without both. */
export const formatCents = (cents: number | null | undefined, currency: string | null | undefined): string =>
  cents === null || cents === undefined || currency === null || currency === undefined
    ? '–'
    : formatAmountOf(cents, currency)

export const formatCount = (value: number): string => new Intl.NumberFormat(locale()).format(value)

export const formatTime = (time: string | null | undefined): string =>
  time === null || time === undefined
    ? '–'
    : new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))

/** `+12 %`; undefined when there is nothing to compare with. */
export const formatChange = (now: number, before: number): string | undefined =>
  before === 0
    ? undefined
    : new Intl.NumberFormat(locale(), { style: 'percent', signDisplay: 'exceptZero' }).format(
        (now - before) / before,
      )
