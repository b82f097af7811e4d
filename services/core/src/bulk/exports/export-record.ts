/** A record → what an export writes of it: attributes, `<relationship>_id`, and what was included in place. Pure. */
import { companionsOf } from '@merx/jsonapi/attributes'
import type { Attribute, RenderContext } from '@merx/jsonapi/attributes'
import { foreignKeyOf, idTypeOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { IncludeTree } from '@merx/jsonapi/query'
import type { ResourceRecord } from '@merx/jsonapi/record'
import { isMany, renderResource } from '@merx/jsonapi/render-resource'
import type { Registry } from '../../engine/registry.ts'
import type { FieldsByPath } from './export-shape.ts'

export interface ExportShape {
  readonly fields: FieldsByPath
  /** Leaves out ids, times and what is blank. */
  readonly isDry: boolean
  readonly render: RenderContext
  readonly registry: Registry
}

export type Exported = Readonly<Record<string, unknown>>

/** Attributes nobody can import and that say nothing about the record. */
const NEVER_EXPORTED = ['jwt_custom_claim', 'attachment_url']

const TIMES = ['created_at', 'updated_at']

/** What lists show, and of what only single reads show that which an import can write, so that nothing of a record is lost. */
const isExported = ({ show, write }: Attribute): boolean =>
  show === 'always' || (show === 'single' && write !== 'never')

const exportedNames = new WeakMap<ResourceDefinition, ReadonlySet<string>>()

const namesOf = (definition: ResourceDefinition): ReadonlySet<string> => {
  const known = exportedNames.get(definition)
  if (known !== undefined) return known
  const names = new Set(
    Object.entries(definition.attributes)
      .filter(([, attribute]) => isExported(attribute))
      .flatMap(([name, { kind }]) =>
        kind === 'cents' ? [name, ...Object.values(companionsOf(name))] : [name],
      )
      .filter((name) => !NEVER_EXPORTED.includes(name)),
  )
  exportedNames.set(definition, names)
  return names
}

/** `path` is the way of includes to the record, empty for an exported one. */
export const exportRecord = (record: ResourceRecord, shape: ExportShape, path = ''): Exported => {
  const { isDry, fields, render } = shape
  const names = fields.get(path)
  const attributes = Object.entries(
    renderResource(record, render, namesOf(record.definition), true).attributes,
  ).filter(([name]) => names?.has(name) !== false && !(isDry && TIMES.includes(name)))
  const exported: Record<string, unknown> = {
    ...(isDry || names?.has('id') === false ? {} : { id: record.id }),
    ...Object.fromEntries(attributes),
    ...keysOf(record, names, shape),
    ...included(record, path, shape),
  }
  if (!isDry) return exported
  return Object.fromEntries(Object.entries(exported).filter(([, value]) => !isBlank(value)))
}

/** The names of all members of the exported type's records, in order: the columns of a CSV file. */
export const exportColumns = (
  definition: ResourceDefinition,
  include: IncludeTree,
  { fields, isDry, render }: Pick<ExportShape, 'fields' | 'isDry' | 'render'>,
): readonly string[] => {
  const names = fields.get('')
  const isWanted = (name: string): boolean => names === undefined || names.has(name)
  const isSecret = (name: string): boolean => definition.attributes[name]?.secret === true
  const attributes = [...namesOf(definition)].filter(
    (name) =>
      isWanted(name) && (!isSecret(name) || render.isConfidential) && !(isDry && TIMES.includes(name)),
  )
  const keys = Object.entries(definition.relationships).flatMap(([name, relationship]) => {
    if (name in include || !isWanted(name)) return []
    if (relationship.kind === 'polymorphicToOne') return [`${name}_type`, `${name}_id`]
    return relationship.kind === 'toOne' && relationship.virtual === undefined ? [`${name}_id`] : []
  })
  const columns = [
    ...(isDry || !isWanted('id') ? [] : ['id']),
    ...attributes,
    ...keys,
    ...Object.keys(include),
  ]
  // The type of a polymorphic target may be an attribute as well.
  return [...new Set(columns)]
}

/** Ids of to-one relationships that were not included. */
const keysOf = (
  { definition, row, linked }: ResourceRecord,
  names: ReadonlySet<string> | undefined,
  { registry }: ExportShape,
): Exported => {
  const keys: Record<string, unknown> = {}
  for (const [name, relationship] of Object.entries(definition.relationships)) {
    if (linked.has(name) || names?.has(name) === false) continue
    if (relationship.kind === 'toOne' && relationship.virtual === undefined) {
      keys[`${name}_id`] = encode(relationship.target, row[foreignKeyOf(name, relationship)], registry)
    } else if (relationship.kind === 'polymorphicToOne') {
      const columns = polymorphicKeyOf(name, relationship)
      const type = row[columns.type]
      keys[`${name}_type`] = type ?? null
      keys[`${name}_id`] = typeof type === 'string' ? encode(type, row[columns.id], registry) : null
    }
  }
  return keys
}

const encode = (type: string, number: unknown, registry: Registry): string | null => {
  const definition = registry.find(type)
  if (typeof number !== 'number' || definition === undefined) return null
  return registry.ids.encode(idTypeOf(definition), number)
}

const included = ({ linked }: ResourceRecord, path: string, shape: ExportShape): Exported => {
  const result: Record<string, unknown> = {}
  for (const [name, target] of linked) {
    const below = path === '' ? name : `${path}.${name}`
    if (target === null) result[name] = null
    else
      result[name] = isMany(target)
        ? target.map((each) => exportRecord(each, shape, below))
        : exportRecord(target, shape, below)
  }
  return result
}

const isBlank = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
