/**
 * Create, update and delete of any resource, each one transaction. An update locks its row first, so two writers of
 * one resource come one after the other and rules see the latest state. Faults are collected and refused together,
 * with those of the document, before anything is written. What belongs to a type alone is in its workflow.
 */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteFault } from '@merx/jsonapi/rules'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { logChanges } from '../change-log/change-log.ts'
import type { LoggedChange } from '../change-log/change-log.ts'
import type { Database } from '../database/database.ts'
import type { NumberSource } from '../database/number-source.ts'
import { runIn } from '../database/run-statement.ts'
import type { RunStatement } from '../database/run-statement.ts'
import { toStoreError } from '../database/store-errors.ts'
import type { Reading } from '../read/read-includes.ts'
import { deleteRow, insertRow, overlay, replaceLinks, selectRow, updateRow } from '../sql/write-statements.ts'
import type { ColumnValues } from '../sql/write-statements.ts'
import { refuseAll } from './all-faults.ts'
import type { EarlierFaults } from './all-faults.ts'
import { familyColumns } from './family-columns.ts'
import { lookupsOf } from './lookups.ts'
import { judgeWrite } from './prepare-write.ts'
import type { JudgedWrite, Preparing } from './prepare-write.ts'
import { refuseDelete } from './refuse-delete.ts'
import { requireCoveredAfter, requireCoveredBefore } from './require-covered.ts'
import type { ResolvedLinkage } from './resolve-linkage.ts'
import { createAtOnce, updateAtOnce } from './write-at-once.ts'
import { toDeleteError, toTakenError, toWriteError } from './write-errors.ts'
import type { ExtensionWrite, WorkflowStep, WriteExtension, WriteWorkflow } from './write-workflow.ts'

export interface Writing {
  /** In the writer's scope. */
  readonly reading: Reading
  readonly now: Date
  /** Application and owner that write, for the change log; absent when the service itself does. */
  readonly who?: Row
  /** The row comes from an import. */
  readonly isImport?: boolean
  /** With these nothing is written, whatever else is found. */
  readonly earlier?: EarlierFaults | undefined
}

/** A write of its own, which may also go the short way. */
export interface WholeWriting extends Writing {
  readonly database: Pick<Database, 'transaction'>
  readonly numbers: NumberSource
  readonly who: Row
  /** Runs in the transaction of the write, after its row: what must happen if and only if the row is written. */
  readonly afterwards?: (row: Row, environmentId: number, run: RunStatement) => Promise<void>
}

/** Gives the new row, or the one that was added to. `given` are columns that no request can send. */
export const createResource = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  writing: WholeWriting,
  given: ColumnValues = {},
): Promise<Row> =>
  (writing.afterwards === undefined ? await createAtOnce(definition, request, writing, given) : undefined) ??
  (await inTransaction(definition, writing, async (run) =>
    finish(await createIn(run, definition, request, writing, given), writing, run),
  ))

/** The same in a transaction of the caller's. Throws what PostgreSQL refuses as it is. */
export const createIn = async (
  run: RunStatement,
  definition: ResourceDefinition,
  request: WriteRequest,
  writing: Writing,
  given: ColumnValues = {},
): Promise<Row> => {
  const step = stepOf(run, writing)
  const workflow = workflowOf(definition.type, writing)
  await workflow.lockForCreate?.(request, step)
  const judged = await judgeWrite(definition, request, undefined, preparingOf(run, definition, writing))
  const isFaulty = judged.faults.length > 0 || writing.earlier !== undefined
  const existing = isFaulty ? undefined : await workflow.findExisting?.(judged.columns, request, step)
  const columns = existing?.columns ?? {
    ...judged.columns,
    ...familyColumns(definition, writing.reading),
    ...given,
  }
  const write = { definition, request, writing, step, workflow }
  const row = await writeRow(write, existing?.before, { ...judged, columns })
  await requireCoveredAfter(definition, numberOf(row), 'create', { ...writing, run })
  return row
}

/** Gives the row as it is after. Throws AppError `record_not_found` when it is gone. `seen` is the row with its version. */
export const updateResource = async (
  definition: ResourceDefinition,
  seen: Row,
  request: WriteRequest,
  writing: WholeWriting,
): Promise<Row> =>
  (writing.afterwards === undefined ? await updateAtOnce(definition, seen, request, writing) : undefined) ??
  (await inTransaction(definition, writing, async (run) =>
    finish(await updateIn(run, definition, numberOf(seen), request, writing), writing, run),
  ))

const finish = async (
  row: Row,
  { afterwards, reading }: Pick<WholeWriting, 'afterwards' | 'reading'>,
  run: RunStatement,
): Promise<Row> => {
  await afterwards?.(row, reading.scope.environmentId, run)
  return row
}

/** The same in a transaction of the caller's. Throws what PostgreSQL refuses as it is. */
export const updateIn = async (
  run: RunStatement,
  definition: ResourceDefinition,
  number: number,
  request: WriteRequest,
  writing: Writing,
): Promise<Row> => {
  const step = stepOf(run, writing)
  const workflow = workflowOf(definition.type, writing)
  await workflow.lockForChange?.(number, step)
  const [before] = await run(selectRow(definition.table, step.scope.environmentId, number, true))
  if (before === undefined) throw new AppError('record_not_found')
  await requireCoveredBefore(definition, number, 'update', { ...writing, run })
  const judged = await judgeWrite(definition, request, before, preparingOf(run, definition, writing))
  const row = await writeRow({ definition, request, writing, step, workflow }, before, judged)
  await requireCoveredAfter(definition, number, 'update', { ...writing, run })
  return row
}

/** Throws AppError `locked` while others depend on it, `record_not_found` when the row is gone. */
export const deleteResource = async (
  definition: ResourceDefinition,
  number: number,
  writing: WholeWriting,
): Promise<void> => {
  await inTransaction(definition, writing, async (run) => {
    const step = stepOf(run, writing)
    const workflow = workflowOf(definition.type, writing)
    const { environmentId } = step.scope
    await workflow.lockForChange?.(number, step)
    const [before] = await run(selectRow(definition.table, environmentId, number, true))
    if (before === undefined) throw new AppError('record_not_found')
    await requireCoveredBefore(definition, number, 'destroy', { ...writing, run })
    await workflow.refuseDelete?.(before, step)
    await refuseDelete(definition, before, run, writing.reading)
    await run(deleteRow(definition.table, environmentId, number)).catch((error: unknown) => {
      throw toDeleteError(error)
    })
    const change = { definition, number, before, after: undefined }
    const settled = (await workflow.settle?.(change, undefined, step)) ?? []
    await log([change, ...settled], writing, run)
  })
}

interface RowWrite {
  readonly definition: ResourceDefinition
  readonly request: WriteRequest
  readonly writing: Writing
  readonly step: WorkflowStep
  readonly workflow: WriteWorkflow
}

/** The row itself, its sets, what follows from it, and the log of all of that. */
const writeRow = async (
  write: RowWrite,
  before: Row | undefined,
  { columns, links, faults }: JudgedWrite,
): Promise<Row> => {
  const { definition, request, writing, step, workflow } = write
  const isComplete = isCompletable(workflow, faults, writing.earlier)
  const completion =
    (isComplete ? await workflow.complete?.(overlay(before, columns), before, request, step) : undefined) ??
    {}
  refuseAll(writing.earlier, [...faults, ...(completion.faults ?? [])])
  const row = await storeRow(definition, before, { ...columns, ...completion.set }, step)
  const number = numberOf(row)
  const events = await writeSets(write, number, links)
  const settled = (await workflow.settle?.({ definition, number, before, after: row }, request, step)) ?? []
  const after = workflow.settle === undefined ? row : await readRow(definition, number, step)
  const change = { definition, number, before, after, events }
  await log([...(completion.changes ?? []), change, ...settled], writing, step.run)
  return after
}

/** Completing works with some members; what follows from a wrong one would be no fault of its own. */
const isCompletable = (
  { completesFrom = [] }: WriteWorkflow,
  faults: readonly WriteFault[],
  earlier: EarlierFaults | undefined,
): boolean => {
  const isWrong = (name: string): boolean =>
    faults.some(({ at }) => at === undefined || memberOf(at) === name)
  return !completesFrom.some((name) => isWrong(name) || earlier?.unreadable.has(name) === true)
}

const memberOf = (at: NonNullable<WriteFault['at']>): string =>
  'attribute' in at ? at.attribute : at.relationship

const numberOf = ({ id }: Row): number => {
  if (typeof id !== 'number') throw new TypeError('a written row has no number')
  return id
}

const storeRow = async (
  definition: ResourceDefinition,
  before: Row | undefined,
  columns: ColumnValues,
  { run, scope: { environmentId } }: WorkflowStep,
): Promise<Row> => {
  if (before !== undefined && Object.keys(columns).length === 0) return before
  const { table } = definition
  const statement =
    before === undefined
      ? insertRow(table, environmentId, columns)
      : updateRow(table, environmentId, Number(before['id']), columns)
  const [row] = await run(statement).catch((error: unknown) => {
    throw toTakenError(error, definition, columns)
  })
  if (row === undefined) throw new TypeError('a write gives no row')
  return row
}

const readRow = async (
  { table }: ResourceDefinition,
  number: number,
  { run, scope }: WorkflowStep,
): Promise<Row> => {
  const [row] = await run(selectRow(table, scope.environmentId, number, false))
  if (row === undefined) throw new TypeError('a written row is gone before its transaction ends')
  return row
}

/** Writes the linked sets and the extensions of the row; returns the events of those that changed. */
const writeSets = async (
  { definition, request, step }: RowWrite,
  number: number,
  links: ResolvedLinkage['links'],
): Promise<readonly string[]> => {
  const change = { definition, number, request, step }
  const sent = step.registry.facts.writeExtensions.filter(({ isSent }) => isSent(request))
  const before = await readAll(sent, change)
  await writeLinks(links, number, step.scope.environmentId, step.run)
  for (const extension of sent) await extension.write(change)
  const after = await readAll(sent, change)
  return sent.filter((_extension, at) => before[at] !== after[at]).map(({ event }) => event)
}

const readAll = async (
  extensions: readonly WriteExtension[],
  change: ExtensionWrite,
): Promise<readonly (string | undefined)[]> => {
  const values: (string | undefined)[] = []
  for (const extension of extensions) values.push(await extension.read(change))
  return values
}

const workflowOf = (type: string, { reading }: Writing): WriteWorkflow =>
  reading.registry.facts.workflows[type] ?? {}

const log = (
  changes: readonly LoggedChange[],
  { reading, who }: Writing,
  run: RunStatement,
): Promise<void> => {
  const { registry, scope } = reading
  return logChanges(changes, { run, registry, environmentId: scope.environmentId, who: who ?? {} })
}

const stepOf = (
  run: RunStatement,
  { reading: { registry, scope }, now, isImport }: Writing,
): WorkflowStep => ({
  run,
  registry,
  scope,
  now,
  isImport: isImport ?? false,
})

const inTransaction = async <T>(
  definition: ResourceDefinition,
  { database }: Pick<WholeWriting, 'database'>,
  act: (run: RunStatement) => Promise<T>,
): Promise<T> => {
  try {
    return await database.transaction((transaction) => act(runIn(transaction)))
  } catch (error) {
    throw toStoreError(toWriteError(error, definition))
  }
}

const preparingOf = (run: RunStatement, { type }: ResourceDefinition, writing: Writing): Preparing => ({
  scope: writing.reading.scope,
  now: writing.now,
  isImport: writing.isImport ?? false,
  earlier: writing.earlier,
  goesOn: workflowOf(type, writing).complete !== undefined,
  lookups: lookupsOf({ ...writing.reading, run }),
})

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
