/** Why a row must stay: its definition says so, or others refer to it. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RunStatement } from '../database/run-statement.ts'
import type { Reading } from '../read/read-includes.ts'
import type { ColumnValues } from '../sql/column-values.ts'
import { inverseKeyOf } from '../sql/relations.ts'
import { selectWhere } from '../sql/select-rows.ts'

/** `row` is locked, so the reason cannot come up before it is gone. Throws AppError `locked`. */
export const refuseDelete = async (
  definition: ResourceDefinition,
  row: Row,
  run: RunStatement,
  reading: Pick<Reading, 'registry' | 'scope'>,
): Promise<void> => {
  const detail = definition.onDelete.reasonAgainst?.(row)
  if (detail !== undefined) throw new AppError('locked', { detail })
  await refuseWhileReferenced(definition, Number(row['id']), run, reading)
}

const refuseWhileReferenced = async (
  definition: ResourceDefinition,
  number: number,
  run: RunStatement,
  { registry, scope }: Pick<Reading, 'registry' | 'scope'>,
): Promise<void> => {
  for (const name of definition.onDelete.refuseWhile) {
    const relationship = definition.relationships[name]
    if (relationship?.kind !== 'toMany' || relationship.inverse === undefined) continue
    const target = registry.require(relationship.target)
    const where = inverseWhere(definition, target, relationship.inverse, number)
    const found = await run(selectWhere(target, scope.environmentId, where))
    if (found.length > 0) {
      throw new AppError('locked', { detail: `Cannot be deleted because dependent ${name} exist` })
    }
  }
}

const inverseWhere = (
  definition: ResourceDefinition,
  target: ResourceDefinition,
  inverse: string,
  number: number,
): ColumnValues => {
  const key = inverseKeyOf(target, inverse)
  return { [key.id]: number, ...(key.type === undefined ? {} : { [key.type]: definition.type }) }
}
