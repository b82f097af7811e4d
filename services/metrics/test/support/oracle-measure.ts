/** Measured values → the value of a bucket, in exact arithmetic. */
import { compare, isFixed } from './oracle-checks.ts'
import type { Fixed, Value } from './oracle-view.ts'

export interface LevelInput {
  readonly by?: string
  readonly interval?: string
  readonly field: string
  readonly operator: string
}

const roundTo = (numerator: bigint, denominator: bigint, digits: number): number => {
  const scale = 10n ** BigInt(8 - digits)
  const divisor = denominator * scale
  const sign = numerator < 0n ? -1n : 1n
  const absolute = numerator * sign
  const rounded = (absolute * 2n + divisor) / (divisor * 2n)
  return Number(sign * rounded) / 10 ** digits
}

export const toNumber = ({ fixed }: Fixed): number => {
  const sign = fixed < 0n ? '-' : ''
  const text = String(fixed < 0n ? -fixed : fixed).padStart(9, '0')
  return Number(`${sign}${text.slice(0, -8)}.${text.slice(-8)}`)
}

const distinctKey = (value: Value): string => (isFixed(value) ? String(value.fixed) : String(value))

/** The value as shown, and the number that sorts it. */
export const measure = (
  units: ReadonlyMap<string, Value> | undefined,
  { field, operator }: LevelInput,
): { value: unknown; order: number | null } => {
  const values = [...(units ?? new Map<string, Value>()).values()].filter((value) => value !== null)
  const numbers = values.filter(isFixed).sort((a, b) => compare(a, b))
  const sum = numbers.reduce((total, { fixed }) => total + fixed, 0n)
  const count = values.length
  const [min, max] = [numbers[0], numbers.at(-1)].map((value) =>
    value === undefined ? null : toNumber(value),
  )
  const avg =
    numbers.length === 0 ? null : roundTo(sum, BigInt(numbers.length), field.endsWith('_rate') ? 4 : 2)
  const single = (value: number | null | undefined) => ({ value: value ?? null, order: value ?? null })
  switch (operator) {
    case 'value_count':
      return single(count)
    case 'cardinality':
      return single(new Set(values.map(distinctKey)).size)
    case 'avg':
      return single(avg)
    case 'sum':
      return single(toNumber({ fixed: sum }))
    case 'min':
      return single(min)
    case 'max':
      return single(max)
    case 'stats':
      return {
        value: { count, min: min ?? null, max: max ?? null, avg, sum: toNumber({ fixed: sum }) },
        order: avg,
      }
    default:
      return { value: percentiles(numbers), order: avg }
  }
}

const percentiles = (numbers: readonly Fixed[]) =>
  Object.fromEntries(
    [1, 5, 25, 50, 75, 95, 99].map((percent) => {
      const position = percent * (numbers.length - 1)
      const low = numbers[Math.floor(position / 100)]?.fixed
      const high = numbers[Math.min(Math.floor(position / 100) + 1, numbers.length - 1)]?.fixed
      if (low === undefined || high === undefined) return [`${percent}.0`, null]
      const part = BigInt(position % 100)
      return [`${percent}.0`, roundTo(low * (100n - part) + high * part, 100n, 2)]
    }),
  )
