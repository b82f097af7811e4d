/** Numbers, amounts and times as people write them where they are. */

export const formatAmount = (value: number, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(value)

/** An amount in the smallest unit of its currency, as core counts; nothing without both. */
export const formatCents = (
  cents: number | null | undefined,
  currency: string | null | undefined,
): string => {
  if (cents === null || cents === undefined || currency === null || currency === undefined) return '–'
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return formatAmount(cents / 10 ** digits, currency)
}

export const formatCount = (value: number): string => new Intl.NumberFormat().format(value)

export const formatTime = (time: string | null | undefined): string =>
  time === null || time === undefined
    ? '–'
    : new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))

/** `+12 %`; undefined when there is nothing to compare with. */
export const formatChange = (now: number, before: number): string | undefined =>
  before === 0
    ? undefined
    : new Intl.NumberFormat(undefined, { style: 'percent', signDisplay: 'exceptZero' }).format(
        (now - before) / before,
      )
