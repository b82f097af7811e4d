/**
 * Percentiles by linear interpolation between the two nearest values, the inclusive method of spreadsheets: position =
 * percent × (n - 1) / 100. In whole numbers, so that no amount is too large to be exact.
 */
import { PERCENTS } from '../sql/render-measure.ts'

/** Digits behind the point of the finest column, a rate. */
const DIGITS = 8
/** Digits of a percentile; the rest is rounded half away from zero. */
const SHOWN = 2
/** Each value is weighed in hundredths. */
const ONE_SHOWN = 10n ** BigInt(DIGITS + 2 - SHOWN)

/** `-12.5` → -1250000000n. @throws SyntaxError for what is no number, RangeError for one with more digits than there are */
const toUnits = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > DIGITS)
    throw new RangeError(`${text} has more than ${DIGITS} digits behind the point`)
  return BigInt(whole + fraction.padEnd(DIGITS, '0'))
}

const round = (units: bigint): number => {
  const half = units < 0n ? -ONE_SHOWN / 2n : ONE_SHOWN / 2n
  return Number(`${(units + half) / ONE_SHOWN}e-${SHOWN}`)
}

/**
 * Keys as in the open point 3 of metrics.md: "1.0", "5.0" … "99.0"; null without values.
 * @param nearest of each of `PERCENTS` the value at its position and the next, as text; without the next at the last position.
 * @param count how many values there are.
 */
export const interpolate = (
  nearest: readonly (readonly string[])[],
  count: number,
): Readonly<Record<string, number | null>> =>
  Object.fromEntries(
    PERCENTS.map((percent, index) => {
      const [low, high = low] = nearest[index] ?? []
      if (low === undefined || high === undefined) return [`${percent}.0`, null]
      const part = BigInt((percent * (count - 1)) % 100)
      return [`${percent}.0`, round(toUnits(low) * (100n - part) + toUnits(high) * part)]
    }),
  )
