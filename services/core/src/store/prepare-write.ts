/**
 * Everything that is decided before a row is written: values, linkage, triggers, rules, uniqueness. One request or a
 * row of an import, the steps are the same; only how rows are looked up differs.
 */
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
import type { Lookups } from './lookups.ts'
import { resolveLinkage } from './resolve-linkage.ts'
import type { ResolvedLinkage } from './resolve-linkage.ts'
import { overlay } from './sql/write-statements.ts'
import type { ColumnValues } from './sql/write-statements.ts'
import { takenFault } from './write-errors.ts'

export interface Preparing {
  readonly scope: RequestScope
  readonly now: Date
  readonly lookups: Lookups
  /** Rows of an import may set what only imports may, and start no workflow. */
  readonly isImport?: boolean
}

export interface PreparedWrite {
  readonly columns: ColumnValues
  readonly links: ResolvedLinkage['links']
}

/** Throws AppErrors with every fault (422). `before` is the locked row of an update. */
export const prepareWrite = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  before: Row | undefined,
  preparing: Preparing,
): Promise<PreparedWrite> => {
  const { faults, ...prepared } = await judgeWrite(definition, request, before, preparing)
  refuseFaults(faults)
  return prepared
}

/** The same without throwing: what would be written, and why it must not be. */
export const judgeWrite = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  before: Row | undefined,
  { scope, now, lookups, isImport }: Preparing,
): Promise<PreparedWrite & { readonly faults: readonly WriteFault[] }> => {
  const operation: WriteOperation = before === undefined ? 'create' : 'update'
  const attributes = validateAttributes(request.attributes, definition, operation)
  const linkage = await resolveLinkage(request, definition, operation, lookups)
  const triggers = triggerColumns(request.triggers, definition, overlay(before, attributes.columns), now)
  const faults: WriteFault[] = [...attributes.faults, ...linkage.faults, ...triggers.faults]
  const columns: Record<string, unknown> = { ...attributes.columns, ...linkage.columns, ...triggers.columns }
  const sent = sentNames(request)
  const writer: Writer = { ...writerOf(scope), isImport: isImport ?? false }
  for (const rule of definition.rules) {
    const outcome = await rule({
      writer,
      operation,
      before,
      after: overlay(before, columns),
      sent,
      now,
      find: lookups.find,
    })
    faults.push(...(outcome.faults ?? []))
    Object.assign(columns, outcome.set)
  }
  const unique = uniqueValues(definition, columns)
  // One value alone is left to the database, which names it (write-errors.ts); several faults are told together.
  const isLeftToDatabase = !writer.isImport && faults.length === 0 && unique.length === 1
  if (!isLeftToDatabase) faults.push(...(await takenFaults(definition, unique, before, lookups)))
  return { columns, links: linkage.links, faults: withoutRepeats(faults) }
}

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

const uniqueValues = ({ attributes }: ResourceDefinition, columns: ColumnValues): readonly UniqueValue[] =>
  Object.entries(attributes).flatMap(([name, attribute]) => {
    const column = columnOf(name, attribute)
    const value = columns[column] ?? null
    return attribute.unique && value !== null ? [{ name, column, value }] : []
  })

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
  const seen = new Set<string>()
  return faults.filter(({ at, error }) => {
    const key = JSON.stringify([at, error])
    return !seen.has(key) && seen.add(key)
  })
}
