/** Reads what is provisioned, in one organization: pages, single resources, and what they include. */
import { AppError } from '@merx/errors/app-error'
import { foreignKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { IncludeTree, ListQuery, Sort } from '@merx/jsonapi/query'
import type { Registry } from '@merx/jsonapi/registry'
import type { ToMany, ToOne } from '@merx/jsonapi/relationships'
import { Prisma } from './generated/client.ts'
import type { DatabaseTransaction } from './prisma-client.ts'
import { column, columnOfField, filterCondition } from './provisioned-filters.ts'
import {
  createRecords,
  type OpenRecord,
  type ProvisionedRecords,
  type RowOfOrganization,
} from './provisioned-records.ts'
import { sourceOf } from './provisioned-sources.ts'
import { requireRowId } from './public-ids.ts'

export interface ProvisionedReader {
  /** A page beyond the last is empty, with the true count. */
  readPage(
    definition: ResourceDefinition,
    query: Pick<ListQuery, 'filters' | 'sorts' | 'page' | 'include'>,
  ): Promise<{ readonly records: readonly OpenRecord[]; readonly recordCount: number }>
  /** Undefined when the organization has none with this id. */
  find(definition: ResourceDefinition, id: string, include?: IncludeTree): Promise<OpenRecord | undefined>
}

/** More of one relationship than this is listed, page by page, instead of included. */
const INCLUDED_MAX = 1_000

const ALIAS = 't'

const orderOf = (sorts: readonly Sort[]): Prisma.Sql =>
  Prisma.join([
    ...sorts.map(
      ({ field, isDescending }) =>
        Prisma.sql`${column(ALIAS, columnOfField(field))} ${Prisma.raw(isDescending ? 'DESC' : 'ASC')}`,
    ),
    Prisma.sql`${column(ALIAS, 'id')} ASC`,
  ])

interface Reading {
  readonly registry: Registry
  readonly database: DatabaseTransaction
  readonly organizationId: bigint
  readonly records: ProvisionedRecords
}

const from = (definition: ResourceDefinition, { organizationId }: Reading): Prisma.Sql =>
  sourceOf(definition, ALIAS, organizationId)

const readWhereIn = async (
  definition: ResourceDefinition,
  name: string,
  values: readonly bigint[],
  reading: Reading,
): Promise<readonly OpenRecord[]> => {
  if (values.length === 0) return []
  const { database, records } = reading
  const rows = await database.$queryRaw<RowOfOrganization[]>`
    SELECT * FROM ${from(definition, reading)} WHERE ${column(ALIAS, name)} IN (${Prisma.join([...values])})
    ORDER BY ${column(ALIAS, 'id')} LIMIT ${INCLUDED_MAX + 1}`
  if (rows.length > INCLUDED_MAX) {
    throw new AppError('invalid_include', {
      detail: `More than ${INCLUDED_MAX} ${definition.type} would be included; list them instead.`,
      source: { parameter: 'include' },
    })
  }
  return rows.map((row) => records.of(definition, row))
}

type Owners = readonly OpenRecord[]

const linkOne = async (owners: Owners, name: string, relationship: ToOne, reading: Reading) => {
  const keyOf = ({ row }: OpenRecord) => row[foreignKeyOf(name, relationship)]
  const keys = [...new Set(owners.map(keyOf))].filter((key) => typeof key === 'bigint')
  const found = await readWhereIn(reading.registry.require(relationship.target), 'id', keys, reading)
  const byId = new Map<unknown, OpenRecord>(found.map((record) => [record.row.id, record]))
  for (const owner of owners) owner.linked.set(name, byId.get(keyOf(owner)) ?? null)
  return found
}

const linkMany = async (owners: Owners, name: string, { target, inverse = '' }: ToMany, reading: Reading) => {
  const key = `${inverse}_id`
  const ids = [...new Set(owners.map(({ row }) => row.id))]
  const found = await readWhereIn(reading.registry.require(target), key, ids, reading)
  for (const owner of owners) {
    const own = found.filter(({ row }) => row[key] === owner.row.id)
    owner.linked.set(name, own)
  }
  return found
}

const include = async (owners: Owners, tree: IncludeTree, reading: Reading): Promise<void> => {
  for (const [name, below] of Object.entries(tree)) {
    const relationship = owners[0]?.definition.relationships[name]
    if (relationship === undefined) continue
    if (relationship.kind === 'polymorphicToOne') throw new Error(`${name}: not among what is provisioned`)
    const found =
      relationship.kind === 'toOne'
        ? await linkOne(owners, name, relationship, reading)
        : await linkMany(owners, name, relationship, reading)
    await include(found, below, reading)
  }
}

/** One reader serves one request: it remembers the records it has given out. */
export const createProvisionedReader = (
  registry: Registry,
  database: DatabaseTransaction,
  organization: string,
): ProvisionedReader => {
  const organizationId = requireRowId('organizations', organization)
  const records = createRecords(registry, organizationId)
  const reading: Reading = { registry, database, organizationId, records }
  return {
    readPage: async (definition, { filters, sorts, page, include: tree }) => {
      const where = filterCondition(filters, ALIAS, organizationId)
      const offset = BigInt(page.number - 1) * BigInt(page.size)
      const [counted] = await database.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) AS count FROM ${from(definition, reading)} WHERE ${where}`
      const rows = await database.$queryRaw<RowOfOrganization[]>`
        SELECT * FROM ${from(definition, reading)} WHERE ${where}
        ORDER BY ${orderOf(sorts)} LIMIT ${page.size} OFFSET ${offset}`
      const found = rows.map((row) => records.of(definition, row))
      await include(found, tree, reading)
      return { records: found, recordCount: Number(counted?.count ?? 0) }
    },

    find: async (definition, id, tree = {}) => {
      const number = registry.ids.decode(definition.type, id)
      if (number === undefined) return undefined
      const found = await readWhereIn(definition, 'id', [BigInt(number)], reading)
      await include(found, tree, reading)
      return found[0]
    },
  }
}
