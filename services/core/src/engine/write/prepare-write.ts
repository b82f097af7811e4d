/**
 * Everything that is decided before a row is written: values, linkage, triggers, rules, uniqueness. One request or a
 * row of an import, the steps are the same; only how rows are looked up differs.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteFault, WriteOperation, Writer } from '@merx/jsonapi/rules'
import { validateAttributes } from '@merx/jsonapi/validate-attributes'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RequestScope } from '../../access/request-scope.ts'
import { overlay } from '../sql/write-statements.ts'
import type { ColumnValues } from '../sql/write-statements.ts'
import { refuseAll } from './all-faults.ts'
import type { EarlierFaults } from './all-faults.ts'
import { triggerColumns } from './apply-triggers.ts'
import type { Lookups } from './lookups.ts'
import { resolveLinkage } from './resolve-linkage.ts'
import type { ResolvedLinkage } from './resolve-linkage.ts'
import { takenFault } from './write-errors.ts'

export interface Preparing {
  readonly scope: RequestScope
  readonly now: Date
  readonly lookups: Lookups
  /** Rows of an import may set what only imports may, and start no workflow. */
  readonly isImport?: boolean
  readonly earlier?: EarlierFaults | undefined
  /** More faults may be found after these, so that none is left to the database. */
  readonly goesOn?: boolean
}

export interface PreparedWrite {
  readonly columns: ColumnValues
  readonly links: ResolvedLinkage['links']
}

export interface JudgedWrite extends PreparedWrite {
  readonly faults: readonly WriteFault[]
}

/** Throws AppErrors with every fault (422). `before` is the locked row of an update. */
export const prepareWrite = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  before: Row | undefined,
  preparing: Preparing,
): Promise<PreparedWrite> => {
  const { faults, ...prepared } = await judgeWrite(definition, request, before, preparing)
  refuseAll(preparing.earlier, faults)
  return prepared
}

/** The same without throwing: what would be written, and why it must not be. */
export const judgeWrite = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  before: Row | undefined,
  { scope, now, lookups, isImport, earlier, goesOn }: Preparing,
): Promise<JudgedWrite> => {
  const operation: WriteOperation = before === undefined ? 'create' : 'update'
  const attributes = validateAttributes(request.attributes, definition, operation)
  const linkage = await resolveLinkage(request, definition, operation, lookups)
  const triggers = triggerColumns(request.triggers, definition, overlay(before, attributes.columns), now)
  const faults: WriteFault[] = [...attributes.faults, ...linkage.faults, ...triggers.faults]
  const columns: Record<string, unknown> = { ...attributes.columns, ...linkage.columns, ...triggers.columns }
  const unreadable = earlier?.unreadable ?? NONE
  const sent = new Set([...sentNames(request), ...unreadable])
  const writer: Writer = { ...writerOf(scope), isImport: isImport ?? false }
  for (const rule of definition.rules) {
    const outcome = await rule({
      writer,
      operation,
      before,
      after: before === undefined ? columns : overlay(before, columns),
      sent,
      now,
      find: lookups.find,
    })
    faults.push(...(outcome.faults ?? []))
    Object.assign(columns, outcome.set)
  }
  const unique = uniqueValues(definition, columns)
  // One value alone is left to the database, which names it (write-errors.ts); several faults are told together.
  const isAlone = faults.length === 0 && earlier === undefined && goesOn !== true
  const isLeftToDatabase = !writer.isImport && isAlone && unique.length === 1
  if (!isLeftToDatabase) faults.push(...(await takenFaults(definition, unique, before, lookups)))
  const told = faults.filter(({ at }) => !unreadable.has(relationshipOf(at)))
  return { columns, links: linkage.links, faults: withoutRepeats(told) }
}

const NONE: ReadonlySet<string> = new Set()

const relationshipOf = (at: WriteFault['at']): string =>
  at !== undefined && 'relationship' in at ? at.relationship : ''

const writerOf = ({ markets, storeId, salesChannel }: RequestScope): Omit<Writer, 'isImport'> => ({
  isSalesChannel: salesChannel !== undefined,
  markets: markets?.map(({ id }) => id),
  store: storeId,
  customer: salesChannel?.customerId,
})

interface UniqueValue {
  readonly name: string
  readonly column: string
  readonly value: unknown
}

const uniqueValues = (definition: ResourceDefinition, columns: ColumnValues): readonly UniqueValue[] => {
  const values: UniqueValue[] = []
  for (const { name, column } of uniqueAttributes(definition)) {
    const value = columns[column] ?? null
    if (value !== null) values.push({ name, column, value })
  }
  return values
}

const uniqueOf = new WeakMap<ResourceDefinition, readonly Omit<UniqueValue, 'value'>[]>()

const uniqueAttributes = (definition: ResourceDefinition): readonly Omit<UniqueValue, 'value'>[] => {
  const known = uniqueOf.get(definition)
  if (known !== undefined) return known
  const list = Object.entries(definition.attributes).flatMap(([name, attribute]) =>
    attribute.unique ? [{ name, column: columnOf(name, attribute) }] : [],
  )
  uniqueOf.set(definition, list)
  return list
}

/** Unique values that another row of the environment has already. */
const takenFaults = async (
  definition: ResourceDefinition,
  values: readonly UniqueValue[],
  before: Row | undefined,
  lookups: Lookups,
): Promise<readonly WriteFault[]> => {
  const faults: WriteFault[] = []
  for (const { name, column, value } of values) {
    const others = await lookups.having(definition, column, value)
    const isTaken = others.some((row) => row['id'] !== before?.['id'])
    if (isTaken) faults.push(takenFault(name, value))
  }
  return faults
}

/** A rule may find what validation found too; one fault per member and kind is enough. */
const withoutRepeats = (faults: readonly WriteFault[]): readonly WriteFault[] => {
  if (faults.length < 2) return faults
  const seen = new Set<string>()
  return faults.filter(({ at, error }) => {
    const key = JSON.stringify([at, error])
    return !seen.has(key) && seen.add(key)
  })
}
