/** Fills in the linkage of an include tree: one query per relationship and level, whatever the number of records. */
import { AppError } from '@merx/errors/app-error'
import { foreignKeyOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { IncludeTree } from '@merx/jsonapi/query'
import type { PolymorphicToOne, Relationship, ToMany, ToOne } from '@merx/jsonapi/relationships'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RunStatement } from '../database/run-statement.ts'
import type { Registry } from '../registry.ts'
import { createParams } from '../sql/params.ts'
import { selectByNumbers } from '../sql/select-page.ts'
import { OWNER_COLUMN, selectRelated } from '../sql/select-related.ts'
import { computedPairs, withPairColumns } from './computed-pairs.ts'
import type { OpenRecord, Records } from './records.ts'

/** To-many includes are not paged; beyond this the related collection is the way. */
export const INCLUDED_ROWS_MAX = 5_000

export interface Reading {
  readonly run: RunStatement
  readonly registry: Registry
  readonly scope: RequestScope
  readonly records: Records
  /** Whether the caller may read a type at all; a polymorphic target it may not read is null. */
  readonly mayRead: (type: string) => boolean
}

/** Records that several paths reach are filled in once per path; linkage of earlier ones stays. */
export const readIncludes = async (
  owners: readonly OpenRecord[],
  tree: IncludeTree,
  reading: Reading,
): Promise<void> => {
  for (const [name, below] of Object.entries(tree)) {
    const reached: OpenRecord[] = []
    for (const [definition, records] of groupByDefinition(owners)) {
      const relationship = definition.relationships[name]
      if (relationship === undefined) continue // of a polymorphic path, not every type has every relationship
      reached.push(...(await readLinked(definition, name, relationship, records, reading)))
    }
    if (reached.length > 0) await readIncludes([...new Set(reached)], below, reading)
  }
}

const readLinked = (
  definition: ResourceDefinition,
  name: string,
  relationship: Relationship,
  owners: readonly OpenRecord[],
  reading: Reading,
): Promise<readonly OpenRecord[]> => {
  switch (relationship.kind) {
    case 'toOne':
      return relationship.virtual === undefined
        ? readToOne(name, relationship, owners, reading)
        : readRelated(definition, name, relationship, owners, reading)
    case 'toMany':
      return readRelated(definition, name, relationship, owners, reading)
    case 'polymorphicToOne':
      return readPolymorphic(name, relationship, owners, reading)
  }
}

const readToOne = async (
  name: string,
  relationship: ToOne,
  owners: readonly OpenRecord[],
  reading: Reading,
): Promise<readonly OpenRecord[]> => {
  const column = foreignKeyOf(name, relationship)
  const numbers = distinct(owners.map(({ row }) => row[column]))
  const found = await readByNumbers(relationship.target, numbers, reading)
  for (const owner of owners) owner.linked.set(name, found.get(toNumber(owner.row[column])) ?? null)
  return [...found.values()]
}

const readPolymorphic = async (
  name: string,
  relationship: PolymorphicToOne,
  owners: readonly OpenRecord[],
  reading: Reading,
): Promise<readonly OpenRecord[]> => {
  const columns = polymorphicKeyOf(name, relationship)
  const reached: OpenRecord[] = []
  for (const owner of owners) owner.linked.set(name, null)
  for (const type of relationship.targets.filter(reading.mayRead)) {
    const ofType = owners.filter(({ row }) => row[columns.type] === type)
    const found = await readByNumbers(type, distinct(ofType.map(({ row }) => row[columns.id])), reading)
    for (const owner of ofType) owner.linked.set(name, found.get(toNumber(owner.row[columns.id])) ?? null)
    reached.push(...found.values())
  }
  return reached
}

const readRelated = async (
  owner: ResourceDefinition,
  name: string,
  relationship: ToMany | ToOne,
  owners: readonly OpenRecord[],
  reading: Reading,
): Promise<readonly OpenRecord[]> => {
  const { run, registry, scope, records } = reading
  const numbers = owners.map(({ number }) => number)
  const rowsMax = INCLUDED_ROWS_MAX + 1
  const rowsOfOwners = new Map(owners.map(({ number, row }) => [number, row]))
  const pairs = await computedPairs(relationship, numbers, rowsOfOwners, reading)
  const params = createParams(scope.environmentId)
  const build = { registry, scope, params, ...(pairs === undefined ? {} : { pairs }) }
  const rows = await run(selectRelated({ owner, numbers, name, relationship, rowsMax }, build))
  if (rows.length > INCLUDED_ROWS_MAX) {
    const detail = `"${name}" leads to more than ${INCLUDED_ROWS_MAX} ${relationship.target}; use its own address, which has pages`
    throw new AppError('invalid_include', { detail, source: { parameter: 'include' } })
  }
  const target = registry.require(relationship.target)
  const groups = new Map<number, OpenRecord[]>(numbers.map((number) => [number, []]))
  for (const row of rows) {
    const number = toNumber(row[OWNER_COLUMN])
    groups.get(number)?.push(records.of(target, withPairColumns(row, number, pairs)))
  }
  for (const record of owners) {
    const group = groups.get(record.number) ?? []
    record.linked.set(name, relationship.kind === 'toMany' ? group : (group[0] ?? null))
  }
  return [...groups.values()].flat()
}

const readByNumbers = async (
  type: string,
  numbers: readonly number[],
  { run, registry, scope, records }: Reading,
): Promise<ReadonlyMap<number, OpenRecord>> => {
  if (numbers.length === 0) return new Map()
  const definition = registry.require(type)
  const build = { registry, scope, params: createParams(scope.environmentId) }
  const rows = await run(selectByNumbers(definition, numbers, build))
  return new Map(rows.map((row) => [toNumber(row['id']), records.of(definition, row)]))
}

const groupByDefinition = (records: readonly OpenRecord[]): ReadonlyMap<ResourceDefinition, OpenRecord[]> =>
  Map.groupBy(records, ({ definition }) => definition)

const distinct = (values: readonly unknown[]): readonly number[] => [
  ...new Set(values.filter((value) => typeof value === 'number')),
]

/** No row has number -1, so a missing key finds nothing. */
const toNumber = (value: unknown): number => (typeof value === 'number' ? value : -1)
