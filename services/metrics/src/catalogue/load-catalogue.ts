/** Reads the catalogue data of each resource at start and refuses data that contradicts itself. */
import { readFileSync } from 'node:fs'
import { compile } from '@merx/validation/compile'
import {
  listOperators,
  type Attribute,
  type Catalogue,
  type Fbt,
  type FilterKey,
  type ListItem,
  type ListOperator,
  type Operator,
  type Resource,
  type ValueType,
} from './attribute.ts'
import { catalogueSchema, fbtSchema } from './catalogue-schema.ts'
import { placeOf, type Lists } from './place.ts'
import { loadTypesOf } from './types-of.ts'

export const RESOURCES = ['orders', 'carts', 'returns'] as const

interface AttributeData {
  readonly type: ValueType
  readonly empty_is_none?: boolean
  readonly by?: boolean
  readonly date_by?: boolean
  readonly operators?: readonly Operator[]
  readonly search?: boolean
  readonly export?: boolean
  readonly sort_by?: boolean
}

interface FilterData {
  readonly kind: FilterKey['kind']
  readonly attribute?: string
  readonly item?: ListItem | 'number' | 'datetime'
  readonly values?: readonly string[]
  readonly default?: string
  readonly requires?: string
  readonly section?: string
  readonly operators?: readonly ListOperator[]
  readonly match?: 'prefix'
  readonly item_min_length?: number
}

export interface ResourceData {
  readonly resource: string
  readonly record: string
  readonly alias?: string
  readonly subject: string
  readonly table: string
  readonly key: readonly string[]
  readonly population?: readonly string[]
  readonly lists: Lists
  readonly sort_by_default: string
  readonly wildcards: readonly string[]
  readonly attributes: Readonly<Record<string, AttributeData>>
  readonly filters: Readonly<Record<string, Readonly<Record<string, FilterData>>>>
  readonly nested_by_forbidden: Readonly<Record<string, readonly string[]>>
}

const validate = compile<ResourceData>(catalogueSchema)
const typesOf = loadTypesOf()

const requireEntry = <T>(map: ReadonlyMap<string, T>, key: string | undefined, where: string): T => {
  const found = key === undefined ? undefined : map.get(key)
  if (found === undefined) throw new Error(`${where} names "${key ?? ''}", which the catalogue does not have`)
  return found
}

const toAttribute = (path: string, data: AttributeData, { record, lists }: ResourceData): Attribute => ({
  path,
  type: data.type,
  place: placeOf(path, record, lists),
  types: typesOf(path),
  isEmptyNone: data.empty_is_none === true,
  isBy: data.by === true,
  isDateBy: data.date_by === true,
  operators: data.operators ?? [],
  isSearchable: data.search === true,
  isExportable: data.export === true,
  isSortable: data.sort_by === true,
})

const toListKey = (data: FilterData, attribute: Attribute): FilterKey => ({
  kind: 'list',
  attribute,
  item: data.item === undefined || data.item === 'number' || data.item === 'datetime' ? 'string' : data.item,
  operators: data.operators ?? listOperators,
  ...(data.values === undefined ? {} : { values: data.values }),
  match: data.match ?? 'equal',
  itemLengthMin: data.item_min_length ?? 0,
})

const toFilterKey = (
  data: FilterData,
  attributes: ReadonlyMap<string, Attribute>,
  where: string,
): FilterKey => {
  if (data.kind === 'date_bound') return { kind: data.kind, requires: data.requires ?? '' }
  if (data.kind === 'date_field') {
    return { kind: data.kind, values: data.values ?? [], default: data.default ?? '' }
  }
  if (data.kind === 'section') return { kind: data.kind, section: data.section ?? '' }
  const attribute = requireEntry(attributes, data.attribute, where)
  if (data.kind === 'list') return toListKey(data, attribute)
  if (data.kind === 'string') return { kind: data.kind, attribute, values: data.values ?? [] }
  if (data.kind !== 'range') return { kind: data.kind, attribute }
  const item = data.item === 'integer' || data.item === 'datetime' ? data.item : 'number'
  return { kind: data.kind, attribute, item }
}

type FiltersData = ResourceData['filters']

const toFilters = (
  filters: FiltersData,
  attributes: ReadonlyMap<string, Attribute>,
  owner: string,
): Resource['filters'] =>
  new Map(
    Object.entries(filters).map(([section, keys]) => [
      section,
      new Map(
        Object.entries(keys).map(([key, entry]) => [
          key,
          toFilterKey(entry, attributes, `${owner} filter ${section}.${key}`),
        ]),
      ),
    ]),
  )

/** The attributes of the record again by its alias: `cart.id` with all that `order.id` has. */
const underAlias = (attributes: readonly Attribute[], record: string, alias: string): readonly Attribute[] =>
  attributes
    .filter(({ path }) => path.startsWith(`${record}.`))
    .map((attribute) => ({
      ...attribute,
      path: `${alias}${attribute.path.slice(record.length)}`,
      aliasOf: attribute.path,
    }))

/** What callers may write by the alias is what they may write by the name of the record. */
const withAlias = (resource: Resource, alias: string | undefined): Resource => {
  const { record, attributes, filters, wildcards } = resource
  if (alias === undefined) return resource
  const aliased = underAlias([...attributes.values()], record, alias)
  return {
    ...resource,
    alias,
    attributes: new Map([...attributes, ...aliased.map((attribute) => [attribute.path, attribute] as const)]),
    filters: new Map([...filters, [alias, requireEntry(filters, record, `${resource.name} alias`)]]),
    wildcards: [...wildcards, `${alias}.*`],
  }
}

const violationText = (
  violations: readonly { readonly pointer: string; readonly message: string }[],
): string => `catalogue data: ${violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`

/** Typed form of one resource's data; throws an Error naming what is wrong in it. */
export const toResource = (value: unknown): Resource => {
  const result = validate(value)
  if (!result.ok) throw new Error(violationText(result.violations))
  const data = result.value
  const attributes = new Map(
    Object.entries(data.attributes).map(([path, entry]) => [path, toAttribute(path, entry, data)]),
  )
  const filters = toFilters(data.filters, attributes, data.resource)
  for (const keys of filters.values()) {
    for (const [name, key] of keys) {
      if (key.kind === 'section') requireEntry(filters, key.section, `${data.resource} filter key ${name}`)
    }
  }
  for (const outer of Object.keys(data.nested_by_forbidden)) {
    requireEntry(attributes, outer, `${data.resource} nesting rule`)
  }
  const resource: Resource = {
    name: data.resource,
    record: data.record,
    subject: data.subject,
    table: {
      name: data.table,
      key: data.key.map((path) => requireEntry(attributes, path, `${data.resource} key`)),
    },
    ...(data.population === undefined ? {} : { population: data.population }),
    sortByDefault: requireEntry(attributes, data.sort_by_default, `${data.resource} sort_by_default`),
    wildcards: data.wildcards,
    attributes,
    filters,
    nestedByForbidden: new Map(Object.entries(data.nested_by_forbidden)),
  }
  return withAlias(resource, data.alias)
}

interface FbtData {
  readonly resource: string
  readonly item_types: readonly string[]
  readonly records_max: number
  readonly filters: FiltersData
}

const validateFbt = compile<FbtData>(fbtSchema)

const readData = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'))

/** The resources of this service. Reads files; call it once, at start. */
export const loadCatalogue = (): Catalogue =>
  new Map(RESOURCES.map((name) => [name, toResource(readData(name))]))

/** Reads a file; call it once, at start. */
export const loadFbt = (catalogue: Catalogue): Fbt => {
  const result = validateFbt(readData('fbt'))
  if (!result.ok) throw new Error(violationText(result.violations))
  const { resource: name, filters, item_types: itemTypes, records_max: recordsMax } = result.value
  const resource = requireEntry(catalogue, name, 'fbt')
  return { resource, filters: toFilters(filters, resource.attributes, 'fbt'), itemTypes, recordsMax }
}
