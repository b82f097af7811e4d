/** Runs the levels of an aggregate, outermost first: each statement reads only the buckets that the level before returned. */
import type { Row } from '../engine/engine.ts'
import type { AggregatePlan } from '../plan/plan.ts'
import { SORTED_MAX } from '../sql/render-measure.ts'
import { renderBuckets } from '../sql/render.ts'
import type { Statement } from '../sql/statement.ts'

const labelsOf = (row: Row, depth: number): readonly string[] =>
  Array.from({ length: depth }, (_, index) => String(row[`k${index}`]))

/** Whether a bucket has more values than the statement sorts for its percentiles. */
const countsMany = (row: Row): boolean => Number(row.counted ?? 0) > SORTED_MAX

/** Returns the rows of each level. A level inside an empty one is empty and needs no statement. */
export const runLevels = async (
  plan: AggregatePlan,
  run: (statement: Statement) => Promise<readonly Row[]>,
): Promise<readonly (readonly Row[])[]> => {
  const levels: (readonly Row[])[] = []
  for (const depth of plan.levels.keys()) {
    const above = levels.at(-1)
    const outer = above?.map((row) => labelsOf(row, depth))
    const rows = outer?.length === 0 ? [] : await run(renderBuckets(plan, depth, { outer }))
    levels.push(
      rows.some(countsMany) ? await run(renderBuckets(plan, depth, { outer, hasMany: true })) : rows,
    )
  }
  return levels
}
