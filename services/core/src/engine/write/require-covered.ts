/** The rows that a write touches, against the restrictions of the writer's permission, in the write's transaction. */
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RowKey } from '@merx/jsonapi/restrictions'
import type { RunStatement } from '../database/run-statement.ts'
import type { Reading } from '../read/read-includes.ts'
import { createParams } from '../sql/params.ts'
import { selectCovered } from '../sql/restricted-rows.ts'

/** A row must be one that may be read and written; what it becomes must still be the caller's to have. */
const BEFORE = { update: ['all', 'read', 'update'], destroy: ['all', 'read', 'destroy'] } as const
const AFTER = { create: ['all', 'create'], update: ['all'] } as const

export interface Covering {
  readonly reading: Pick<Reading, 'registry' | 'scope'>
  /** In the transaction of the write; the row is locked. */
  readonly run: RunStatement
}

/** Throws AppError `unauthorized` when the permission does not cover the row as it is. */
export const requireCoveredBefore = (
  definition: ResourceDefinition,
  number: number,
  action: keyof typeof BEFORE,
  covering: Covering,
): Promise<void> => requireCovered(definition, number, BEFORE[action], `${action} this`, covering)

/** Throws AppError `unauthorized` when the permission does not cover the row as it was written. */
export const requireCoveredAfter = (
  definition: ResourceDefinition,
  number: number,
  action: keyof typeof AFTER,
  covering: Covering,
): Promise<void> => requireCovered(definition, number, AFTER[action], `${action} such a`, covering)

const requireCovered = async (
  definition: ResourceDefinition,
  number: number,
  keys: readonly RowKey[],
  act: string,
  { reading: { registry, scope }, run }: Covering,
): Promise<void> => {
  const build = { registry, scope, params: createParams(scope.environmentId) }
  const statement = selectCovered(definition, [number], keys, build)
  if (statement === undefined) return
  const covered = await run(statement)
  if (covered.length > 0) return
  const detail = `Your permission on ${definition.type} has row restrictions; you are not authorized to ${act} row.`
  throw new AppError('unauthorized', { detail })
}
