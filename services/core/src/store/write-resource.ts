/**
 * Create, update and delete of any resource, each one transaction. An update locks its row first, so two writers of
 * one resource come one after the other and rules see the latest state. Faults of values are collected and refused
 * together (422) before anything is written.
 */
import { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { Database } from './database.ts'
import { lookupsOf } from './lookups.ts'
import { prepareWrite } from './prepare-write.ts'
import type { Preparing } from './prepare-write.ts'
import type { Reading } from './read-includes.ts'
import type { ResolvedLinkage } from './resolve-linkage.ts'
import { runIn, toStoreError } from './run-statement.ts'
import type { RunStatement } from './run-statement.ts'
import { inverseKeyOf } from './sql/relations.ts'
import {
  deleteRow,
  insertRow,
  replaceLinks,
  selectRow,
  selectWhere,
  updateRow,
} from './sql/write-statements.ts'
import type { ColumnValues } from './sql/write-statements.ts'
import { toDeleteError, toWriteError } from './write-errors.ts'

export interface Writing {
  readonly database: Pick<Database, 'transaction'>
  /** In the writer's scope. */
  readonly reading: Reading
  readonly now: Date
}

/** Gives the number of the new row. `given` are columns that no request can send. */
export const createResource = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  writing: Writing,
  given: ColumnValues = {},
): Promise<number> =>
  inTransaction(definition, writing, async (run) => {
    const { columns, links } = await prepareWrite(
      definition,
      request,
      undefined,
      inTransactionOf(run, writing),
    )
    const { environmentId } = writing.reading.scope
    const family = familyColumns(definition, writing.reading)
    const [row] = await run(insertRow(definition.table, environmentId, { ...columns, ...family, ...given }))
    if (typeof row?.['id'] !== 'number') throw new TypeError('an insert gives no number')
    await writeLinks(links, row['id'], environmentId, run)
    return row['id']
  })

/** Throws AppError `record_not_found` when the row is gone. */
export const updateResource = async (
  definition: ResourceDefinition,
  number: number,
  request: WriteRequest,
  writing: Writing,
): Promise<void> => {
  await inTransaction(definition, writing, async (run) => {
    const { environmentId } = writing.reading.scope
    const [before] = await run(selectRow(definition.table, environmentId, number, true))
    if (before === undefined) throw new AppError('record_not_found')
    const { columns, links } = await prepareWrite(definition, request, before, inTransactionOf(run, writing))
    if (Object.keys(columns).length > 0)
      await run(updateRow(definition.table, environmentId, number, columns))
    await writeLinks(links, number, environmentId, run)
  })
}

/** Throws AppError `locked` while others depend on it, `record_not_found` when the row is gone. */
export const deleteResource = async (
  definition: ResourceDefinition,
  number: number,
  writing: Writing,
): Promise<void> => {
  const { environmentId } = writing.reading.scope
  await inTransaction(definition, writing, async (run) => {
    await refuseForReason(definition, number, run, environmentId)
    await refuseWhileReferenced(definition, number, run, writing.reading)
    try {
      const deleted = await run(deleteRow(definition.table, environmentId, number))
      if (deleted.length === 0) throw new AppError('record_not_found')
    } catch (error) {
      throw toDeleteError(error)
    }
  })
}

const inTransaction = async <T>(
  definition: ResourceDefinition,
  { database }: Writing,
  act: (run: RunStatement) => Promise<T>,
): Promise<T> => {
  try {
    return await database.transaction((transaction) => act(runIn(transaction)))
  } catch (error) {
    throw toStoreError(toWriteError(error, definition))
  }
}

const inTransactionOf = (run: RunStatement, { reading, now }: Writing): Preparing => ({
  scope: reading.scope,
  now,
  lookups: lookupsOf({ ...reading, run }),
})

/** Of a type that shares a table: the column that says which of its members a row is. */
export const familyColumns = (
  { type, memberOf }: ResourceDefinition,
  { registry }: Pick<Reading, 'registry'>,
): ColumnValues => {
  const typeColumn = memberOf === undefined ? undefined : registry.require(memberOf).abstract?.typeColumn
  return typeColumn === undefined ? {} : { [typeColumn]: type }
}

/** Replaces the sets stored in tables between types. */
export const writeLinks = async (
  links: ResolvedLinkage['links'],
  number: number,
  environmentId: number,
  run: RunStatement,
): Promise<void> => {
  for (const { relationship, targets } of links) {
    if (relationship.through === undefined) continue
    for (const statement of replaceLinks(relationship.through, environmentId, number, targets))
      await run(statement)
  }
}

/** The row stays locked, so the reason cannot come up before it is gone. */
const refuseForReason = async (
  { table, onDelete }: ResourceDefinition,
  number: number,
  run: RunStatement,
  environmentId: number,
): Promise<void> => {
  if (onDelete.reasonAgainst === undefined) return
  const [row] = await run(selectRow(table, environmentId, number, true))
  const detail = row === undefined ? undefined : onDelete.reasonAgainst(row)
  if (detail !== undefined) throw new AppError('locked', { detail })
}

const refuseWhileReferenced = async (
  definition: ResourceDefinition,
  number: number,
  run: RunStatement,
  { registry, scope }: Reading,
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
