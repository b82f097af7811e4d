/** JSON Schema of a resource's data file: a misspelt key must stop the start, not widen a query. */
import { listOperators, operators, valueTypes } from './attribute.ts'

const strings = { type: 'array', items: { type: 'string', minLength: 1 } }
const yes = { type: 'boolean', const: true }

const attribute = {
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', enum: valueTypes },
    empty_is_none: yes,
    by: yes,
    date_by: yes,
    operators: { type: 'array', minItems: 1, items: { type: 'string', enum: operators } },
    search: yes,
    export: yes,
    sort_by: yes,
    known_values: strings,
  },
}

const filter = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: {
    kind: {
      type: 'string',
      enum: ['date_bound', 'date_field', 'section', 'boolean', 'string', 'query', 'range', 'list'],
    },
    attribute: { type: 'string' },
    item: { type: 'string', enum: ['string', 'email', 'integer', 'string or integer', 'number', 'datetime'] },
    values: { ...strings, minItems: 1 },
    default: { type: 'string' },
    requires: { type: 'string' },
    section: { type: 'string' },
    operators: { type: 'array', minItems: 1, items: { type: 'string', enum: listOperators } },
    match: { type: 'string', const: 'prefix' },
    item_min_length: { type: 'integer', minimum: 1 },
  },
}

const mapOf = (additionalProperties: object) => ({ type: 'object', additionalProperties })

export const catalogueSchema = {
  type: 'object',
  additionalProperties: false,
  required: [
    'resource',
    'record',
    'subject',
    'table',
    'key',
    'lists',
    'sort_by_default',
    'wildcards',
    'attributes',
    'filters',
    'nested_by_forbidden',
  ],
  properties: {
    resource: { type: 'string' },
    record: { type: 'string' },
    alias: { type: 'string', minLength: 1 },
    subject: { type: 'string' },
    table: { type: 'string' },
    key: { ...strings, minItems: 1 },
    population: { ...strings, minItems: 1 },
    lists: mapOf(strings),
    sort_by_default: { type: 'string' },
    wildcards: strings,
    attributes: mapOf(attribute),
    filters: mapOf(mapOf(filter)),
    nested_by_forbidden: mapOf(strings),
  },
}

/** Of the data file of fbt. */
export const fbtSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['analysis', 'resource', 'item_types', 'records_max', 'filters'],
  properties: {
    analysis: { type: 'string', const: 'fbt' },
    resource: { type: 'string' },
    item_types: { ...strings, minItems: 1 },
    records_max: { type: 'integer', minimum: 1 },
    filters: mapOf(mapOf(filter)),
  },
}
