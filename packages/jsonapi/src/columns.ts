/** Where attributes and relationships are stored: the only place that applies the default column names. */
import type { Attribute } from './attributes.ts'
import type { ResourceDefinition } from './define-resource.ts'
import type { PolymorphicToOne, ToOne } from './relationships.ts'

/** The column of a stored attribute; that of a sealed one says so. */
export const columnOf = (name: string, { column, sealed }: Attribute): string =>
  column ?? (sealed === true ? `sealed_${name}` : name)

/** The column with the number of a to-one's target. */
export const foreignKeyOf = (name: string, relationship: ToOne): string => relationship.column ?? `${name}_id`

/** The two columns of a polymorphic to-one: the target's type as on the wire, and its number. */
export const polymorphicKeyOf = (
  name: string,
  relationship: PolymorphicToOne,
): { readonly type: string; readonly id: string } => ({
  type: relationship.typeColumn ?? `${name}_type`,
  id: relationship.idColumn ?? `${name}_id`,
})

/** The type whose alphabet the ids of this definition are written in: members share that of their abstract type. */
export const idTypeOf = (definition: ResourceDefinition): string => definition.memberOf ?? definition.type
