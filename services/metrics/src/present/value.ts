/** Converts exact text of the engine to numbers of the answer. The only place where an amount becomes a binary number. */
import type { Row } from '../engine/engine.ts'
import type { Measure } from '../request/query.ts'
import { interpolate } from './percentiles.ts'

export type Stats = Readonly<Record<'count' | 'min' | 'max' | 'avg' | 'sum', number | null>>
export type MeasuredValue = number | null | Stats | Readonly<Record<string, number | null>>

const toNumber = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)

const toTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const toPairs = (value: unknown): readonly (readonly string[])[] =>
  Array.isArray(value) ? value.map(toTexts) : []

export const toMeasuredValue = (row: Row, { operator }: Measure): MeasuredValue => {
  if (operator === 'percentiles') return interpolate(toPairs(row.nearest), Number(row.counted))
  if (operator !== 'stats') return toNumber(row.value)
  return {
    count: toNumber(row.count),
    min: toNumber(row.min),
    max: toNumber(row.max),
    avg: toNumber(row.avg),
    sum: toNumber(row.sum),
  }
}
