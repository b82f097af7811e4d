/** One attribute → JSON Schema 2020-12, as it is answered and as it can be sent. Pure. */
import type { Attribute } from '@merx/jsonapi/attributes'
import { limits } from '@merx/jsonapi/limits'

export type Schema = Readonly<Record<string, unknown>>

/** What answers hold; a value that is not known is null. */
export const answeredSchema = (attribute: Attribute): Schema => nullable(valueSchema(attribute), attribute)

/** What a request may send. */
export const sentSchema = (attribute: Attribute): Schema => {
  if (attribute.kind === 'trigger') return { type: triggerTypes[attribute.carries ?? 'boolean'] }
  const schema = { ...valueSchema(attribute), ...boundsOf(attribute) }
  const hasDefault = attribute.default !== undefined
  return {
    ...(attribute.required ? schema : nullable(schema, attribute)),
    ...(hasDefault ? { default: attribute.default } : {}),
    ...(attribute.show === 'never' ? { writeOnly: true } : {}),
  }
}

const triggerTypes = { boolean: 'boolean', text: 'string', integer: 'integer' } as const

const valueSchema = ({ kind, values }: Attribute): Schema => {
  switch (kind) {
    case 'text':
      return { type: 'string' }
    case 'oneOf':
      return { type: 'string', enum: values }
    case 'integer':
    case 'cents':
      return { type: 'integer' }
    case 'float':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'instant':
      return { type: 'string', format: 'date-time' }
    case 'object':
      return { type: 'object' }
    case 'list':
      return { type: 'array', items: {} }
    case 'computed':
    case 'loaded':
    case 'trigger':
      return {}
  }
}

const boundsOf = ({ kind, min, max, pattern }: Attribute): Schema => {
  switch (kind) {
    case 'text':
      return {
        ...(min === undefined ? {} : { minLength: min }),
        maxLength: max ?? limits.textCharactersMax,
        ...(pattern === undefined ? {} : { pattern: pattern.source }),
      }
    case 'list':
      return {
        ...(min === undefined ? {} : { minItems: min }),
        ...(max === undefined ? {} : { maxItems: max }),
      }
    case 'integer':
    case 'cents':
    case 'float':
      return {
        ...(min === undefined ? {} : { minimum: min }),
        ...(max === undefined ? {} : { maximum: max }),
      }
    default:
      return {}
  }
}

/** Values without a type of their own may be anything, null too. */
const nullable = (schema: Schema, { required }: Attribute): Schema => {
  const { type, enum: values } = schema
  if (required || type === undefined) return schema
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
  }
}
