/** Filters of a resource, from its catalogue. */
import { rangeOperators, type FilterKey, type ListKey, type Resource } from '../../src/catalogue/attribute.ts'
import { limits } from '../../src/request/limits.ts'
import { twoSided } from '../../src/request/resolve-condition.ts'
import { enumOf, objectOf, pascalCase, refTo, type Schema } from './schema.ts'

const instant: Schema = {
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$`,
  examples: ['2022-01-31T00:00:00Z'],
}

const items: Readonly<Record<string, Schema>> = {
  number: {
    type: 'number',
    minimum: -limits.numberMax,
    maximum: limits.numberMax,
    description: `at most ${limits.fractionDigitsMax} digits after the point`,
  },
  integer: { type: 'integer', minimum: -limits.numberMax, maximum: limits.numberMax },
  datetime: instant,
}

/** An object with exactly one operator. */
const oneOperator = (properties: Readonly<Record<string, Schema>>): Schema => ({
  ...objectOf(properties),
  minProperties: 1,
  maxProperties: 1,
})

const rangeOf = (item: Schema): Schema =>
  oneOperator(
    Object.fromEntries(
      rangeOperators.map((operator) => [
        operator,
        twoSided.has(operator)
          ? { type: 'array', items: item, minItems: 2, maxItems: 2, description: 'low, then high' }
          : item,
      ]),
    ),
  )

/** Comparisons that filters and conditions share. */
export const comparisonSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(items).map(([name, item]) => [`${pascalCase(name)}Comparison`, rangeOf(item)]),
)

const safeInteger: Schema = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}

const listItem = (key: ListKey): Schema => {
  if (key.values !== undefined) return enumOf(key.values)
  const { itemLengthMin: minLength } = key
  const text = { type: 'string', ...(minLength > 0 && { minLength }), maxLength: limits.itemLengthMax }
  if (key.item === 'string' || key.item === 'email') return text
  if (key.item === 'string or integer') return { anyOf: [safeInteger, text] }
  return { anyOf: [{ type: 'integer' }, { type: 'string', pattern: String.raw`^-?\d{1,15}$` }] }
}

const listOf = (key: ListKey): Schema =>
  oneOperator(
    Object.fromEntries(
      key.operators.map((operator) => [
        operator,
        { type: 'array', items: listItem(key), minItems: 1, maxItems: limits.listItemsMax },
      ]),
    ),
  )

type Sections = Resource['filters']

const keySchema = (sections: Sections, key: FilterKey): Schema => {
  switch (key.kind) {
    case 'date_bound':
      return instant
    case 'date_field':
      return { ...enumOf(key.values), default: key.default }
    case 'section':
      return sectionSchema(sections, key.section)
    case 'boolean':
      return { type: 'boolean' }
    case 'string':
      return enumOf(key.values)
    case 'query':
      return oneOperator({ query: { type: 'string', minLength: 1, maxLength: limits.textLengthMax } })
    case 'range':
      return refTo(`${pascalCase(key.item)}Comparison`)
    case 'list':
      return listOf(key)
  }
}

const sectionSchema = (sections: Sections, name: string): Schema => {
  const keys = [...(sections.get(name) ?? [])]
  const bounds = keys.flatMap(([key, { kind, ...rest }]) =>
    kind === 'date_bound' && 'requires' in rest ? [[key, [rest.requires]] as const] : [],
  )
  return {
    ...objectOf(Object.fromEntries(keys.map(([key, entry]) => [key, keySchema(sections, entry)]))),
    minProperties: 1,
    ...(bounds.length === 0 ? {} : { dependentRequired: Object.fromEntries(bounds) }),
  }
}

/** Sections that stand inside another one are not repeated at the first level. */
export const sectionsSchema = (sections: Sections): Schema => ({
  ...objectOf(Object.fromEntries([...sections.keys()].map((name) => [name, sectionSchema(sections, name)]))),
  minProperties: 1,
})

/** The `filter` of a resource: the section of the record under one of its two names. */
export const filterSchema = ({ filters, record, alias }: Resource): Schema => ({
  ...sectionsSchema(filters),
  ...(alias === undefined ? {} : { not: { required: [record, alias] } }),
})
