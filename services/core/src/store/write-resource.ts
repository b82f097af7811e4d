/**
 * Create, update and delete of any resource, each one transaction. An update locks its row first, so two writers of
 * one resource come one after the other and rules see the latest state. Faults of values are collected and refused
 * together (422) before anything is written.
 */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteFault, WriteOperation, Writer } from '@merx/jsonapi/rules'
import { validateAttributes } from '@merx/jsonapi/validate-attributes'
import { refuseFaults } from '@merx/jsonapi/validation-errors'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RequestScope } from '../policies/request-scope.ts'
import { triggerColumns } from './apply-triggers.ts'
import type { Database } from './database.ts'
import type { Reading } from './read-includes.ts'
import { resolveLinkage } from './resolve-linkage.ts'
import type { ResolvedLinkage } from './resolve-linkage.ts'
import { createRowFinder } from './row-finder.ts'
import { runIn, toStoreError } from './run-statement.ts'
import type { RunStatement } from './run-statement.ts'
import { inverseKeyOf } from './sql/relations.ts'
import {
  deleteRow,
  insertRow,
  overlay,
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

/** Gives the number of the new row. */
export const createResource = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  writing: Writing,
): Promise<number> =>
  inTransaction(definition, writing, async (run) => {
    const { columns, links } = await prepare(definition, request, undefined, run, writing)
    const { environmentId } = writing.reading.scope
    const family = familyColumns(definition, writing.reading)
    const [row] = await run(insertRow(definition.table, environmentId, { ...columns, ...family }))
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
    const { columns, links } = await prepare(definition, request, before, run, writing)
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

/** Everything that is decided before the row is written: values, linkage, triggers, rules, uniqueness. */
const prepare = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  before: Row | undefined,
  run: RunStatement,
  { reading, now }: Writing,
): Promise<{ readonly columns: ColumnValues; readonly links: ResolvedLinkage['links'] }> => {
  const operation: WriteOperation = before === undefined ? 'create' : 'update'
  const attributes = validateAttributes(request.attributes, definition, operation)
  const linkage = await resolveLinkage(request, definition, operation, { ...reading, run })
  const triggers = triggerColumns(request.triggers, definition, overlay(before, attributes.columns), now)
  const faults: WriteFault[] = [...attributes.faults, ...linkage.faults, ...triggers.faults]
  const columns: Record<string, unknown> = { ...attributes.columns, ...linkage.columns, ...triggers.columns }
  const find = createRowFinder(reading.registry, reading.scope.environmentId, run)
  const sent = sentNames(request)
  const writer = writerOf(reading.scope)
  for (const rule of definition.rules) {
    const outcome = await rule({
      writer,
      operation,
      before,
      after: overlay(before, columns),
      sent,
      now,
      find,
    })
    faults.push(...(outcome.faults ?? []))
    Object.assign(columns, outcome.set)
  }
  faults.push(...(await takenFaults(definition, columns, before, reading.scope.environmentId, run)))
  refuseFaults(withoutRepeats(faults))
  return { columns, links: linkage.links }
}

const writerOf = ({ markets, storeId, salesChannel }: RequestScope): Writer => ({
  isSalesChannel: salesChannel !== undefined,
  markets: markets?.map(({ id }) => id),
  store: storeId,
  customer: salesChannel?.customerId,
})

/** A unique value that another row of the environment has already. */
const takenFaults = async (
  definition: ResourceDefinition,
  columns: ColumnValues,
  before: Row | undefined,
  environmentId: number,
  run: RunStatement,
): Promise<readonly WriteFault[]> => {
  const faults: WriteFault[] = []
  for (const [name, attribute] of Object.entries(definition.attributes)) {
    const column = columnOf(name, attribute)
    const value = columns[column] ?? null
    if (!attribute.unique || value === null) continue
    const others = await run(selectWhere(definition, environmentId, { [column]: value }))
    const isTaken = others.some((row) => row['id'] !== before?.['id'])
    if (isTaken)
      faults.push({ at: { attribute: name }, error: 'taken', message: 'has already been taken', value })
  }
  return faults
}

/** A rule may find what validation found too; one fault per member and kind is enough. */
const withoutRepeats = (faults: readonly WriteFault[]): readonly WriteFault[] => {
  const seen = new Set<string>()
  return faults.filter(({ at, error }) => {
    const key = JSON.stringify([at, error])
    return !seen.has(key) && seen.add(key)
  })
}

const familyColumns = ({ type, memberOf }: ResourceDefinition, { registry }: Reading): ColumnValues => {
  const typeColumn = memberOf === undefined ? undefined : registry.require(memberOf).abstract?.typeColumn
  return typeColumn === undefined ? {} : { [typeColumn]: type }
}

const writeLinks = async (
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
