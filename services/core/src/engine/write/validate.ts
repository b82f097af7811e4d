/** Validates one write: values, linkage, triggers, rules, uniqueness. Requests and rows of imports differ in their lookups. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteViolation, WriteOperation, Writer } from '@merx/jsonapi/rules'
import { validateAttributes } from '@merx/jsonapi/validate-attributes'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { RequestScope } from '../../access/request-scope.ts'
import type { ColumnValues } from '../sql/column-values.ts'
import { triggerColumns } from './apply-triggers.ts'
import type { Lookups } from './lookups.ts'
import { resolveLinkage } from './resolve-linkage.ts'
import type { ResolvedLinkage } from './resolve-linkage.ts'
import { withoutRepeats } from './violations.ts'
import type { EarlierViolations } from './violations.ts'
import { takenViolation } from './write-errors.ts'

export interface ValidationContext {
  readonly scope: RequestScope
  readonly now: Date
  readonly lookups: Lookups
  /** Rows of an import may set what only imports may, and start no workflow. */
  readonly isImport?: boolean
  readonly earlier?: EarlierViolations | undefined
  /** A later step may find more violations, so none is left to the database. */
  readonly isContinued?: boolean
}

export interface ValidatedWrite {
  /** What to write. */
  readonly columns: ColumnValues
  readonly links: ResolvedLinkage['links']
  /** Topics that the rules add. */
  readonly topics: readonly string[]
  /** Why it must not be written. */
  readonly violations: readonly WriteViolation[]
}

/** `before` is the row of an update, locked or with its version. Throws AppErrors that rules throw. */
export const validate = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  before: Row | undefined,
  { scope, now, lookups, isImport, earlier, isContinued }: ValidationContext,
): Promise<ValidatedWrite> => {
  const operation: WriteOperation = before === undefined ? 'create' : 'update'
  const attributes = validateAttributes(request.attributes, definition, operation)
  const linkage = await resolveLinkage(request, definition, operation, lookups)
  const triggers = triggerColumns(request.triggers, definition, { ...before, ...attributes.columns }, now)
  const violations: WriteViolation[] = [
    ...attributes.violations,
    ...linkage.violations,
    ...triggers.violations,
  ]
  const columns: Record<string, unknown> = { ...attributes.columns, ...linkage.columns, ...triggers.columns }
  const unreadable = earlier?.unreadable ?? NONE
  const topics: string[] = []
  const sent = new Set([...sentNames(request), ...unreadable])
  const writer: Writer = { ...writerOf(scope), isImport: isImport ?? false }
  for (const rule of definition.rules) {
    const after = before === undefined ? columns : { ...before, ...columns }
    const { find, allowedNetworks, includeProblem } = lookups
    const known = { find, allowedNetworks, includeProblem }
    const outcome = await rule({ writer, operation, before, after, sent, now, ...known })
    violations.push(...(outcome.violations ?? []))
    Object.assign(columns, outcome.set)
    topics.push(...(outcome.topics ?? []))
  }
  const unique = uniqueValues(definition, columns)
  // One value alone is left to the database, which names it (write-errors.ts); several violations are reported together.
  const isAlone = violations.length === 0 && earlier === undefined && isContinued !== true
  const isLeftToDatabase = !writer.isImport && isAlone && unique.length === 1
  if (!isLeftToDatabase) violations.push(...(await takenViolations(definition, unique, before, lookups)))
  const reported = violations.filter(({ at }) => !unreadable.has(relationshipOf(at)))
  return {
    columns: withSealed(columns, definition, lookups),
    links: linkage.links,
    topics,
    violations: withoutRepeats(reported, ({ at, error }) => [at, error]),
  }
}

/** The columns with the values of sealed attributes encrypted; rules have seen them as they were sent. */
const withSealed = (
  columns: ColumnValues,
  definition: ResourceDefinition,
  { seal }: Pick<Lookups, 'seal'>,
): ColumnValues => {
  const sealed = sealedColumns(definition).flatMap((column) => {
    const value = columns[column] ?? null
    return value === null ? [] : [[column, seal(value)] as const]
  })
  return sealed.length === 0 ? columns : { ...columns, ...Object.fromEntries(sealed) }
}

const sealedOf = new WeakMap<ResourceDefinition, readonly string[]>()

const sealedColumns = (definition: ResourceDefinition): readonly string[] => {
  const known = sealedOf.get(definition)
  if (known !== undefined) return known
  const list = Object.entries(definition.attributes).flatMap(([name, attribute]) =>
    attribute.sealed === true ? [columnOf(name, attribute)] : [],
  )
  sealedOf.set(definition, list)
  return list
}

const NONE: ReadonlySet<string> = new Set()

const relationshipOf = (at: WriteViolation['at']): string =>
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

/** Unique values that another row of the environment has. */
const takenViolations = async (
  definition: ResourceDefinition,
  values: readonly UniqueValue[],
  before: Row | undefined,
  lookups: Lookups,
): Promise<readonly WriteViolation[]> => {
  const violations: WriteViolation[] = []
  for (const { name, column, value } of values) {
    const others = await lookups.having(definition, column, value)
    const isTaken = others.some((row) => row['id'] !== before?.['id'])
    if (isTaken) violations.push(takenViolation(name, value))
  }
  return violations
}
