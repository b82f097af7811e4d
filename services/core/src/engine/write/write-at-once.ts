/**
 * The short way of a write: everything is judged first, on rows as they are, and then row, version and events are
 * written by one statement. It is for writes that touch one row and that nothing stands against. The database watches
 * over what was only looked at: keys and unique values have constraints, and an updated row must still be the one that
 * was seen (docs/adr/0030-short-writes.md). Anything else, and every refusal, is left to the long way
 * (write-resource.ts), which says what is wrong.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { describeChange, givenFields } from '../change-log/change-log.ts'
import type { NumberSource } from '../database/number-source.ts'
import type { Reading } from '../read/read-includes.ts'
import { insertLogged, updateLogged } from '../sql/logged-writes.ts'
import { columnsRead, ROW_VERSION_COLUMN } from '../sql/selection.ts'
import { overlay } from '../sql/write-statements.ts'
import type { ColumnValues } from '../sql/write-statements.ts'
import type { EarlierFaults } from './all-faults.ts'
import { familyColumns } from './family-columns.ts'
import { lookupsOf } from './lookups.ts'
import type { Lookups } from './lookups.ts'
import { prepareWrite } from './prepare-write.ts'
import type { Preparing } from './prepare-write.ts'
import { isRefusal } from './write-errors.ts'

export interface ShortWriting {
  /** In the writer's scope, outside of any transaction. */
  readonly reading: Reading
  readonly now: Date
  readonly who: Row
  readonly numbers: NumberSource
  readonly earlier?: EarlierFaults | undefined
}

/** The new row, or undefined when nothing was written. */
export const createAtOnce = async (
  definition: ResourceDefinition,
  request: WriteRequest,
  writing: ShortWriting,
  given: ColumnValues,
): Promise<Row | undefined> => {
  if (!isPlain(definition, request, writing)) return undefined
  const { reading, who } = writing
  const { registry, scope, run } = reading
  return unlessRefused(async () => {
    const prepared = await prepareWrite(definition, request, undefined, preparingOf(writing))
    const values = { ...prepared.columns, ...familyColumns(definition, reading), ...given }
    const number = await writing.numbers.next(definition.table)
    const write = {
      table: definition.table,
      environmentId: scope.environmentId,
      values,
      returning: columnsRead(definition, registry),
      change: describeChange({ definition, number, before: undefined, after: values }, registry),
      who,
    }
    const [row] = await run(insertLogged(write, givenFields(definition, values)))
    return row
  })
}

/** The row as it is now, or undefined when nothing was written. `seen` is the row with its version. */
export const updateAtOnce = async (
  definition: ResourceDefinition,
  seen: Row,
  request: WriteRequest,
  writing: ShortWriting,
): Promise<Row | undefined> => {
  const { [ROW_VERSION_COLUMN]: rowVersion, ...before } = seen
  if (!isPlain(definition, request, writing) || typeof rowVersion !== 'string') return undefined
  const { reading, who } = writing
  const { registry, scope, run } = reading
  return unlessRefused(async () => {
    const { columns } = await prepareWrite(definition, request, before, preparingOf(writing))
    if (Object.keys(columns).length === 0) return before
    const number = Number(before['id'])
    const change = describeChange({ definition, number, before, after: overlay(before, columns) }, registry)
    const write = {
      table: definition.table,
      environmentId: scope.environmentId,
      values: columns,
      returning: columnsRead(definition, registry),
      change,
      who,
    }
    const [row] = await run(updateLogged(write, rowVersion))
    return row
  })
}

/** One row, and nothing around it: no workflow, no sets, no restrictions to look at, no hash to make twice. */
const isPlain = (
  { type, attributes }: ResourceDefinition,
  request: WriteRequest,
  { reading: { registry, scope }, earlier }: ShortWriting,
): boolean => {
  const { workflows, writeExtensions } = registry.facts
  if (earlier !== undefined || scope.restrictions !== undefined || type in workflows) return false
  if (request.toMany.size > 0 || writeExtensions.some(({ isSent }) => isSent(request))) return false
  for (const name of sentNames(request)) if (attributes[name]?.show === 'never') return false
  return true
}

const unlessRefused = async (act: () => Promise<Row | undefined>): Promise<Row | undefined> => {
  try {
    return await act()
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

const preparingOf = ({ reading, now }: ShortWriting): Preparing => ({
  scope: reading.scope,
  now,
  lookups: trustingKeys(lookupsOf(reading), reading),
})

/**
 * Who sees all of an environment may link to all of it, so the foreign key says as much as a look would. Types that
 * share a table have no key of their own.
 */
const trustingKeys = (lookups: Lookups, { registry, scope }: Reading): Lookups => ({
  ...lookups,
  linkable: async (identifier, relationship) => {
    const target = registry.require(identifier.type)
    const isKeyed =
      relationship.kind === 'toOne' && target.memberOf === undefined && target.abstract === undefined
    if (!isKeyed || target.isPlanned || scope.salesChannel !== undefined)
      return lookups.linkable(identifier, relationship)
    return identifier.number ?? registry.ids.decode(idTypeOf(target), identifier.id)
  },
})
