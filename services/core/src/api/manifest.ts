/**
 * The definitions → the manifest of types that the vendor publishes and generates clients from (core-conventions.md 0): for each
 * type its operations, fields, relationships and filters. Pure.
 */
import type { Attribute } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { plainNames } from '@merx/jsonapi/plain-filters'
import type { Relationship } from '@merx/jsonapi/relationships'
import { isExportable } from '../bulk/exports/begin-export.ts'
import type { Registry } from '../engine/registry.ts'

/** One for each type that is served, by its name. */
export const manifestOf = (registry: Registry) =>
  registry.definitions
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map((definition) => ({
      id: singularOf(definition),
      type: 'resources',
      attributes: {
        name: definition.type,
        singleton: definition.isSingleton,
        deprecated: false,
        addon: false,
        hidden: false,
        actions: definition.operations,
        exportable: isExportable(definition),
        fields: mapValues({ ...OWN_FIELDS, ...definition.attributes }, fieldOf),
        relationships: mapValues(definition.relationships, (relationship) =>
          relationshipOf(relationship, registry),
        ),
        filters: plainNames(definition),
      },
    }))

type Field = Pick<Attribute, 'kind' | 'write' | 'required' | 'filter' | 'sort' | 'show' | 'prohibited'> &
  Partial<Pick<Attribute, 'default' | 'values' | 'carries' | 'min' | 'max'>>

/** Every resource has it, though no definition says so. */
const OWN_FIELDS: Readonly<Record<string, Field>> = {
  id: {
    kind: 'text',
    write: 'never',
    required: true,
    filter: true,
    sort: true,
    show: 'always',
    prohibited: false,
  },
}

/** `skuListItem` → `sku_list_item`. */
const singularOf = ({ model }: ResourceDefinition): string =>
  model.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `skuListItem` → `SkuListItem`. */
const classNameOf = ({ model }: ResourceDefinition): string => model.charAt(0).toUpperCase() + model.slice(1)

const isSent = ({ write }: Pick<Attribute, 'write'>, when: 'create' | 'update'): boolean =>
  write === 'always' || write === when

/** Null where a value has no type of its own. */
const TYPES: Readonly<Record<Attribute['kind'], string | null>> = {
  text: 'string',
  oneOf: 'string',
  instant: 'string',
  integer: 'integer',
  cents: 'integer',
  float: 'float',
  boolean: 'boolean',
  object: 'object',
  list: 'array',
  computed: null,
  loaded: null,
  trigger: 'boolean',
}

const CARRIED = { boolean: 'boolean', text: 'string', integer: 'integer' } as const

const fieldOf = (field: Field) => {
  const {
    kind,
    required,
    filter,
    sort,
    show,
    prohibited,
    values,
    carries,
    min,
    max,
    default: byDefault,
  } = field
  const isTrigger = kind === 'trigger'
  return {
    type: isTrigger ? CARRIED[carries ?? 'boolean'] : TYPES[kind],
    ...(kind === 'instant' ? { format: 'datetime' } : {}),
    required: required ? 'required' : 'optional',
    creatable: isSent(field, 'create'),
    updatable: isSent(field, 'update'),
    fetchable: !isTrigger && show !== 'never',
    filterable: filter,
    sortable: sort,
    ...(isTrigger ? { trigger: true } : {}),
    ...(prohibited ? { prohibited } : {}),
    ...(show === 'single' ? { actions: ['show'] } : {}),
    ...(values === undefined ? {} : { enum: values }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(byDefault === undefined || byDefault === null ? {} : { default: byDefault }),
  }
}

const relationshipOf = (relationship: Relationship, registry: Registry) => {
  const { kind, required, filter, sort, include, endpoint, prohibited } = relationship
  const targets = kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
  const classes = targets.map((target) => classNameOf(registry.require(target)))
  const isVirtual = kind !== 'polymorphicToOne' && relationship.virtual !== undefined
  return {
    type: kind === 'toMany' ? 'has_many' : 'has_one',
    ...(kind === 'polymorphicToOne' ? { polymorphic: true, enum: classes } : { class_name: classes[0] }),
    required: required ? 'required' : 'optional',
    creatable: isSent(relationship, 'create'),
    updatable: isSent(relationship, 'update'),
    filterable: filter,
    sortable: sort,
    includable: include,
    endpoint,
    ...(isVirtual ? { virtual: true } : {}),
    ...(prohibited ? { prohibited } : {}),
  }
}

const mapValues = <Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
