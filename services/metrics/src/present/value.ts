/** Exact text of the engine → numbers of the answer. The only place where an amount becomes a binary number. */
import type { Row } from '../engine/engine.ts'
import type { Measure } from '../request/query.ts'
import { PERCENTS } from '../sql/render-measure.ts'

export type Stats = Readonly<Record<'count' | 'min' | 'max' | 'avg' | 'sum', number | null>>
export type MeasuredValue = number | null | Stats | Readonly<Record<string, number | null>>

const toNumber = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)

/** Keys as in the open point 3 of metrics.md: "1.0", "5.0" … "99.0"; null without values. */
const toPercentiles = (value: unknown): Readonly<Record<string, number | null>> => {
  const values = Array.isArray(value) ? value : []
  return Object.fromEntries(PERCENTS.map((percent, index) => [`${percent}.0`, toNumber(values[index])]))
}

export const toMeasuredValue = (row: Row, { operator }: Measure): MeasuredValue => {
  if (operator === 'percentiles') return toPercentiles(row.percentiles)
  if (operator !== 'stats') return toNumber(row.value)
  return {
    count: toNumber(row.count),
    min: toNumber(row.min),
    max: toNumber(row.max),
    avg: toNumber(row.avg),
    sum: toNumber(row.sum),
  }
}
