/** Nests the rows of each level, in the order of the engine, into lists of buckets. */
import type { Row } from '../engine/engine.ts'
import type { Breakdown } from '../request/query.ts'
import { toMeasuredValue } from './value.ts'

export type Bucket = Readonly<Record<string, unknown>>

const keysOf = (row: Row, depth: number): readonly unknown[] =>
  Array.from({ length: depth }, (_, index) => row[`k${index}`])

const groupByOuter = (rows: readonly Row[], depth: number): ReadonlyMap<string, readonly Row[]> => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const outer = JSON.stringify(keysOf(row, depth))
    const group = groups.get(outer)
    if (group === undefined) groups.set(outer, [row])
    else group.push(row)
  }
  return groups
}

/** Gives the buckets inside the bucket of `outer`, a row of the level above. */
export type Nested = (outer: Row) => Readonly<Record<string, readonly Bucket[]>>

/**
 * The list of buckets inside each bucket of the level above, under its `by` path; empty when nothing is in it. `levels`
 * are the rows from this level on, `depth` how many levels are outside of it.
 */
export const nestBuckets = (
  breakdown: Breakdown | undefined,
  levels: readonly (readonly Row[])[],
  depth: number,
): Nested => {
  if (breakdown === undefined) return () => ({})
  const [rows = [], ...inner] = levels
  const groups = groupByOuter(rows, depth)
  const nested = nestBuckets(breakdown.breakdown, inner, depth + 1)
  return (outer) => {
    const group = groups.get(JSON.stringify(keysOf(outer, depth))) ?? []
    const buckets = group.map((row) => ({
      label: String(row[`k${depth}`]),
      value: toMeasuredValue(row, breakdown),
      ...nested(row),
    }))
    return { [breakdown.by.path]: buckets }
  }
}
