/** The levels of an aggregate, outermost first: the buckets that one shows are what the next looks into. */
import type { Row } from './engine/engine.ts'
import type { AggregatePlan } from './plan/plan.ts'
import { renderBuckets } from './sql/render.ts'
import type { Statement } from './sql/statement.ts'

const labelsOf = (row: Row, depth: number): readonly string[] =>
  Array.from({ length: depth }, (_, index) => String(row[`k${index}`]))

/** Rows of each level. A level inside of nothing is empty without being asked for. */
export const runLevels = async (
  plan: AggregatePlan,
  run: (statement: Statement) => Promise<readonly Row[]>,
): Promise<readonly (readonly Row[])[]> => {
  const levels: (readonly Row[])[] = []
  for (const depth of plan.levels.keys()) {
    const outer = levels.at(-1)
    if (outer?.length === 0) levels.push([])
    else
      levels.push(
        await run(
          renderBuckets(
            plan,
            depth,
            outer?.map((row) => labelsOf(row, depth)),
          ),
        ),
      )
  }
  return levels
}
