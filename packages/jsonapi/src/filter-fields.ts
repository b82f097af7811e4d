/**
 * Names in filters → fields. `shipping_category_name` is attribute `name` over relationship `shipping_category`; a
 * relationship alone stands for the id of what it leads to. Only what a definition marks `filter` is found.
 */
import type { ResourceDefinition } from './define-resource.ts'
import { limits } from './limits.ts'
import { valueKindOf } from './predicates.ts'
import type { ValueKind } from './predicates.ts'
import type { Field, FieldPath, Step } from './query.ts'
import type { Registry } from './registry.ts'

const idField: Field = { kind: 'id', name: 'id' }

/** The field a name stands for, or undefined. Own attributes win over relationships, shorter relationship names over longer. */
export const findFilterField = (
  name: string,
  definition: ResourceDefinition,
  registry: Registry,
): FieldPath | undefined => search(name, definition, registry, [])

const search = (
  name: string,
  on: ResourceDefinition,
  registry: Registry,
  steps: readonly Step[],
): FieldPath | undefined => {
  if (name === 'id') return { steps, on, field: idField }
  const attribute = Object.hasOwn(on.attributes, name) ? on.attributes[name] : undefined
  if (attribute?.filter) return { steps, on, field: { kind: 'attribute', name, attribute } }
  for (const [relationshipName, relationship] of Object.entries(on.relationships)) {
    if (!relationship.filter || !isPrefix(relationshipName, name)) continue
    const rest = name.slice(relationshipName.length + 1)
    if (relationship.kind === 'polymorphicToOne') {
      if (rest !== '' && rest !== 'id') continue
      return { steps, on, field: { kind: 'polymorphicKey', name: relationshipName, relationship } }
    }
    if (steps.length >= limits.filterDepthMax) continue
    const to = registry.require(relationship.target)
    const step: Step = { name: relationshipName, from: on, relationship, to }
    const found = search(rest === '' ? 'id' : rest, to, registry, [...steps, step])
    if (found !== undefined) return found
  }
  return undefined
}

const isPrefix = (relationshipName: string, name: string): boolean =>
  name === relationshipName || name.startsWith(`${relationshipName}_`)

/** How values of the field are written. */
export const valueKindOfField = (field: Field): ValueKind =>
  field.kind === 'attribute' ? (valueKindOf(field.attribute.kind) ?? 'text') : 'id'

/** What may be filtered, for error messages: own attributes, then relationships, then named filters, which are whole. */
export const filterableNames = (definition: ResourceDefinition): readonly string[] => [
  'id',
  ...Object.entries(definition.attributes).flatMap(([name, { filter }]) => (filter ? [name] : [])),
  ...Object.entries(definition.relationships).flatMap(([name, { filter }]) => (filter ? [name] : [])),
  ...Object.keys(definition.namedFilters),
]
