/** A definition → the query parameters its addresses take, with what is allowed in each. Pure. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { limits } from '@merx/jsonapi/limits'
import { includableNames } from '@merx/jsonapi/parse-include'
import { sortableNames } from '@merx/jsonapi/parse-sort'
import { predicatesFor, valueKindOf } from '@merx/jsonapi/predicates'
import { KEY_CHARACTERS_MAX } from '../idempotency-key.ts'
import type { Schema } from './attribute-schema.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })

/** Of a write. */
export const writeParameters = (definition: ResourceDefinition): readonly Schema[] => [
  ...singleParameters(definition),
  ref('idempotency_key'),
]

/** Of one resource: what it brings along and shows. */
export const singleParameters = (definition: ResourceDefinition): readonly Schema[] => [
  ...includeParameter(definition),
  ref('fields'),
]

export const collectionParameters = (definition: ResourceDefinition): readonly Schema[] => [
  ref('page'),
  sortParameter(definition),
  filterParameter(definition),
  ...singleParameters(definition),
]

const includeParameter = (definition: ResourceDefinition): readonly Schema[] => {
  const names = includableNames(definition)
  if (names.length === 0) return []
  const description = `Paths of relationships, joined by dots, separated by commas; they begin with: ${names.join(', ')}.`
  return [{ name: 'include', in: 'query', description, schema: { type: 'string' } }]
}

const sortParameter = (definition: ResourceDefinition): Schema => {
  const names = sortableNames(definition).flatMap((name) => [name, `-${name}`])
  return {
    name: 'sort',
    in: 'query',
    description: 'Fields, separated by commas; a minus before one turns its order around.',
    style: 'form',
    explode: false,
    schema: { type: 'array', maxItems: limits.sortsMax, items: { enum: names } },
  }
}

const filterParameter = (definition: ResourceDefinition): Schema => {
  const { attributes, relationships, namedFilters } = definition
  const rows = Object.entries(attributes).flatMap(([name, { filter, kind }]) => {
    const values = valueKindOf(kind)
    return filter && values !== undefined ? [[values, name] as const] : []
  })
  const kinds = Map.groupBy([['id', 'id'] as const, ...rows], ([kind]) => kind)
  const lists = [...kinds].map(
    ([kind, names]) => `${names.map(([, name]) => name).join(', ')}: ${predicatesFor(kind).join(', ')}.`,
  )
  const crossed = Object.entries(relationships).flatMap(([name, { filter }]) => (filter ? [name] : []))
  return {
    name: 'filter[q]',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description: [
      '`filter[q][<attributes>_<predicate>]=<value>`; attributes are joined by `_or_` or `_and_`, filters by and.',
      ...lists,
      ...(crossed.length === 0
        ? []
        : [`Attributes of these are reached as \`<relationship>_<attribute>\`: ${crossed.join(', ')}.`]),
      ...(Object.keys(namedFilters).length === 0
        ? []
        : [`Filters by name: ${Object.keys(namedFilters).join(', ')}.`]),
    ].join('\n\n'),
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  }
}

/** Shared by all collections. */
export const sharedParameters: Readonly<Record<string, Schema>> = {
  page: {
    name: 'page',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description: '`page[number]` and `page[size]`.',
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        number: { type: 'integer', minimum: 1, maximum: limits.pageNumberMax, default: 1 },
        size: { type: 'integer', minimum: 1, maximum: limits.pageSizeMax, default: limits.pageSizeDefault },
      },
    },
  },
  fields: {
    name: 'fields',
    in: 'query',
    style: 'deepObject',
    explode: true,
    description:
      '`fields[<type>]=<name>,<name>`: attributes and relationships to answer; other types are complete.',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  if_match: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the resource as it was read; 412 when it was changed since.',
    schema: { type: 'string' },
  },
  if_none_match: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the answer that the caller has; 304 when it would be the same.',
    schema: { type: 'string' },
  },
  idempotency_key: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A random string in quotes. The same request with the same key within 24 hours is not done again: it gets the first answer.',
    schema: { type: 'string', maxLength: KEY_CHARACTERS_MAX },
  },
}
