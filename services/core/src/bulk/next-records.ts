import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Filter } from '@merx/jsonapi/query'

export interface RecordRange {
  /** Of the step before; 0 at first. */
  readonly lastId: number
  /** The last record when the job was asked for. */
  readonly finalId: number
}

/** The asked filters, after the last record of the step before and up to the last one when the job was asked for. */
export const nextRecords = (
  filters: readonly Filter[],
  definition: ResourceDefinition,
  { lastId, finalId }: RecordRange,
): readonly Filter[] => {
  const bound = (comparison: 'gt' | 'lteq', value: number): Filter => ({
    parameter: 'id',
    combinator: 'and',
    tests: [
      {
        path: { steps: [], on: definition, field: { kind: 'id', name: 'id' } },
        test: { kind: 'compare', comparison, quantifier: 'any', values: [value], orNull: false },
      },
    ],
  })
  return [...filters, bound('gt', lastId), bound('lteq', finalId)]
}
