/** Identifiers of statements. They come from definitions only; this is the second look at them (style B13). */
import { columnOf, foreignKeyOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import type { Field } from '@merx/jsonapi/query'

const IDENTIFIER = /^[a-z][a-z0-9_]{0,62}$/

/** Quoted, so that a column may be named like a keyword. Throws on anything but a snake_case name. */
export const identifier = (name: string): string => {
  if (!IDENTIFIER.test(name)) throw new Error(`"${name}" is no identifier`)
  return `"${name}"`
}

/** `alias."column"` */
export const qualified = (alias: string, column: string): string => `${alias}.${identifier(column)}`

/** The column a field is stored in, for a field with one column. */
export const columnOfField = (field: Field): string => {
  switch (field.kind) {
    case 'id':
      return 'id'
    case 'attribute':
      return columnOf(field.name, field.attribute)
    case 'toOneKey':
      return foreignKeyOf(field.name, field.relationship)
    case 'polymorphicKey':
      return polymorphicKeyOf(field.name, field.relationship).id
  }
}
