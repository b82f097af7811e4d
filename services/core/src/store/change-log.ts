/**
 * The change log: one version per row written, and the events that come of it, in the transaction of the write. One
 * statement, whatever the number of rows. Secrets and values that are never shown are left out.
 */
import { isDeepStrictEqual } from 'node:util'
import { isStored } from '@merx/jsonapi/attributes'
import type { Attribute, Row } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf, idTypeOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { Registry } from '@merx/jsonapi/registry'
import type { Relationship } from '@merx/jsonapi/relationships'
import { topicsOf } from '../resources/topics.ts'
import type { RowChange } from '../workflows/write-workflow.ts'
import type { RunStatement } from './run-statement.ts'

export interface LoggedChange extends RowChange {
  /** Its tags are others than before. */
  readonly isTagged?: boolean
}

export interface ChangeLogContext {
  readonly run: RunStatement
  readonly registry: Registry
  readonly environmentId: number
  /** Application and owner behind the write; empty of the service itself. */
  readonly who: Row
}

const INSERT = `
  WITH logged AS (
    INSERT INTO versions (environment_id, resource_type, record_id, resource_id, event, changes, who)
    SELECT $1, version.resource_type, version.record_id, version.resource_id, version.event, version.changes, $2::jsonb
    FROM jsonb_to_recordset($3::jsonb)
      AS version (resource_type text, record_id bigint, resource_id text, event text, changes jsonb)
  )
  INSERT INTO events (environment_id, name, resource_type, record_id)
  SELECT $1, event.name, event.resource_type, event.record_id
  FROM jsonb_to_recordset($4::jsonb) AS event (name text, resource_type text, record_id bigint)`

export const logChanges = async (
  changes: readonly LoggedChange[],
  { run, registry, environmentId, who }: ChangeLogContext,
): Promise<void> => {
  const versions = changes.map((change) => toVersion(change, registry))
  const written = versions.filter(
    ({ event, changes }) => event !== 'update' || Object.keys(changes).length > 0,
  )
  const events = changes.flatMap((change, at) =>
    topicsOf(change, versions[at]?.changes ?? {}).map((name) => ({
      name,
      resource_type: change.definition.type,
      record_id: change.number,
    })),
  )
  if (written.length + events.length === 0) return
  const values = [environmentId, JSON.stringify(who), JSON.stringify(written), JSON.stringify(events)]
  await run({ text: INSERT, values, name: 'log_changes' })
}

interface Version {
  readonly resource_type: string
  readonly record_id: number
  readonly resource_id: string
  readonly event: 'create' | 'update' | 'destroy'
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>
}

const toVersion = ({ definition, number, before, after }: RowChange, registry: Registry): Version => ({
  resource_type: definition.type,
  record_id: number,
  resource_id: registry.ids.encode(idTypeOf(definition), number),
  event: before === undefined ? 'create' : after === undefined ? 'destroy' : 'update',
  changes: changesBetween(definition, before, after, (type, value) =>
    typeof value === 'number' ? registry.ids.encode(idTypeOf(registry.require(type)), value) : null,
  ),
})

type ToPublicId = (type: string, number: unknown) => ReturnType<PublicIds['encode']> | null

/** Attribute → value before and after, of those that differ; to-one relationships under `<name>_id`. */
const changesBetween = (
  { attributes, relationships }: ResourceDefinition,
  before: Row | undefined,
  after: Row | undefined,
  toPublicId: ToPublicId,
): Version['changes'] => {
  const fields = [
    ...Object.entries(attributes).flatMap(([name, attribute]) => attributeField(name, attribute)),
    ...Object.entries(relationships).flatMap(([name, relationship]) =>
      relationshipFields(name, relationship, toPublicId),
    ),
  ]
  return Object.fromEntries(
    fields.flatMap(({ name, read }) => {
      const [from, to] = [read(before ?? {}) ?? null, read(after ?? {}) ?? null]
      return isDeepStrictEqual(from, to) ? [] : [[name, [from, to]] as const]
    }),
  )
}

interface Field {
  readonly name: string
  readonly read: (row: Row) => unknown
}

const UNLOGGED = ['created_at', 'updated_at']

const attributeField = (name: string, attribute: Attribute): readonly Field[] => {
  const isHidden = attribute.show === 'never' || attribute.secret
  if (!isStored(attribute) || isHidden || UNLOGGED.includes(name)) return []
  const column = columnOf(name, attribute)
  const isNumeric = attribute.kind === 'float'
  return [{ name, read: (row) => (isNumeric ? toNumber(row[column]) : row[column]) }]
}

/** numeric columns arrive as text. */
const toNumber = (value: unknown): unknown => (typeof value === 'string' ? Number(value) : value)

/** Only what somebody sent can have changed; generated and virtual ones follow from others. */
const relationshipFields = (
  name: string,
  relationship: Relationship,
  toPublicId: ToPublicId,
): readonly Field[] => {
  if (relationship.kind === 'toMany' || relationship.write === 'never') return []
  if (relationship.kind === 'toOne') {
    const column = foreignKeyOf(name, relationship)
    return [{ name: `${name}_id`, read: (row) => toPublicId(relationship.target, row[column]) }]
  }
  const key = polymorphicKeyOf(name, relationship)
  const typeOf = (row: Row): unknown => row[key.type]
  return [
    { name: `${name}_type`, read: typeOf },
    {
      name: `${name}_id`,
      read: (row) =>
        relationship.targets.includes(String(typeOf(row)))
          ? toPublicId(String(typeOf(row)), row[key.id])
          : null,
    },
  ]
}
