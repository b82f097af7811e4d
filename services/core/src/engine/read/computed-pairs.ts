/** What a computed relationship leads to from some owners; undefined for relationships that columns or SQL decide. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ToMany, ToOne } from '@merx/jsonapi/relationships'
import type { RelatedPair } from '../area.ts'
import type { Reading } from './read-includes.ts'

export const computedPairs = async (
  relationship: ToMany | ToOne,
  numbers: readonly number[],
  rows: ReadonlyMap<number, Row>,
  { registry, run, scope }: Pick<Reading, 'registry' | 'run' | 'scope'>,
): Promise<readonly RelatedPair[] | undefined> =>
  relationship.virtual === undefined
    ? undefined
    : registry.facts.computedRelationships[relationship.virtual]?.(
        { numbers, rows },
        { run, scope, registry },
      )

/** The row with the columns that its pair adds. */
export const withPairColumns = (row: Row, owner: unknown, pairs: readonly RelatedPair[] | undefined): Row => {
  const pair = pairs?.find((each) => each.owner === owner && each.target === row['id'])
  return pair?.columns === undefined ? row : { ...row, ...pair.columns }
}
