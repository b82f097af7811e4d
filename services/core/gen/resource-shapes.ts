/**
 * Writes services/auth/src/roles/resource-shapes.json from the definitions: what auth must know of core's resources to
 * check permissions and their restrictions when a role is written. `node services/core/gen/resource-shapes.ts`
 */
import { writeFile } from 'node:fs/promises'
import type { Attribute } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Relationship } from '@merx/jsonapi/relationships'
import { resources } from '../src/areas.ts'

/** Where the list is kept. */
export const resourceShapesPath = new URL('../../auth/src/roles/resource-shapes.json', import.meta.url)

/** Defaults are left out: never written, not filtered, always shown. */
const shapeOfAttribute = ({ kind, write, filter, show }: Attribute) => ({
  kind,
  ...(write === 'never' ? {} : { write }),
  ...(filter ? { filter } : {}),
  ...(show === 'always' ? {} : { show }),
})

const shapeOfRelationship = (relationship: Relationship) => {
  const { kind, write, filter } = relationship
  return {
    kind,
    targets: kind === 'polymorphicToOne' ? relationship.targets : [relationship.target],
    ...(write === 'never' ? {} : { write }),
    ...(filter ? { filter } : {}),
  }
}

const shapeOf = ({ isSingleton, attributes, relationships }: ResourceDefinition) => ({
  ...(isSingleton ? { isSingleton } : {}),
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, shapeOfAttribute(attribute)]),
  ),
  relationships: Object.fromEntries(
    Object.entries(relationships).map(([name, relationship]) => [name, shapeOfRelationship(relationship)]),
  ),
})

/** A line for each type, in the order of their names, so that changes can be read. */
export const renderResourceShapes = (): string => {
  const lines = resources
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map((definition) => `${JSON.stringify(definition.type)}: ${JSON.stringify(shapeOf(definition))}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

if (import.meta.main) await writeFile(resourceShapesPath, renderResourceShapes())
