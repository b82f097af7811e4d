/** What can be asked of metrics, as its catalogue says (services/metrics/gen/console-catalogue.ts). */
import { labelOf } from '../data/triggers.ts'
import catalogue from './catalogue.json' with { type: 'json' }

export interface Attribute {
  readonly type: string
  /** How values of it become one; none when it cannot be computed on. */
  readonly operators?: readonly string[]
  /** Types of core whose permission it needs, besides that of the records. */
  readonly tells?: readonly string[]
  readonly by?: boolean
  readonly dateBy?: boolean
  readonly search?: boolean
  readonly export?: boolean
  readonly sortBy?: boolean
  readonly money?: boolean
}

export type FilterKind = 'boolean' | 'string' | 'query' | 'range' | 'list'

export interface FilterKey {
  readonly kind: FilterKind
  readonly attribute: string
  readonly item?: string
  readonly values?: readonly string[]
  readonly operators?: readonly string[]
}

export interface Resource {
  readonly record: string
  /** The type of core whose permission it needs. */
  readonly subject: string
  readonly dateFields: readonly string[]
  readonly dateField: string
  readonly sortBy: string
  readonly currencyFilter: string
  readonly attributes: Readonly<Record<string, Attribute>>
  /** By section and key, such as `order.currency_codes`. */
  readonly filters: Readonly<Record<string, FilterKey>>
  readonly notInside: Readonly<Record<string, readonly string[]>>
}

interface Catalogue {
  readonly intervals: readonly string[]
  readonly dateOperators: readonly string[]
  readonly rangeOperators: readonly string[]
  /** Those of the range operators that take a low and a high value. */
  readonly twoSided: readonly string[]
  readonly listOperators: readonly string[]
  readonly singleNumber: readonly string[]
  /** What the operators with several numbers give. */
  readonly members: Readonly<Record<string, readonly string[]>>
  readonly limits: Readonly<
    Record<'buckets' | 'bucketsMax' | 'records' | 'fieldsMax' | 'itemsMax' | 'exportMax' | 'days', number>
  >
  readonly resources: Readonly<Record<string, Resource>>
}

const all: Catalogue = catalogue as Catalogue

export const { intervals, rangeOperators, listOperators, singleNumber, limits } = all
export const resourceNames: readonly string[] = Object.keys(all.resources)

/** @throws Error for a name that is not in the catalogue */
export const resourceOf = (name: string): Resource => {
  const resource = all.resources[name]
  if (resource === undefined) throw new Error(`metrics has no ${name}`)
  return resource
}

/** The names of the numbers that an operator gives; none when it is one number. */
export const membersOf = (operator: string): readonly string[] => all.members[operator] ?? []

export const isTwoSided = (operator: string): boolean => all.twoSided.includes(operator)

/** Whether the role may read a type. */
export type MayRead = (type: string) => boolean

/** The paths that `isUsable` holds for, of what the role may read. */
export const pathsOf = (
  { attributes }: Resource,
  mayRead: MayRead,
  isUsable: (attribute: Attribute) => boolean,
): readonly string[] =>
  Object.entries(attributes)
    .filter(([, attribute]) => isUsable(attribute) && (attribute.tells ?? []).every(mayRead))
    .map(([path]) => path)

/** How values of a field can become one in a query of this kind. */
export const operatorsOf = (resource: Resource, kind: string, field: string): readonly string[] => {
  const { operators = [] } = resource.attributes[field] ?? {}
  if (kind !== 'date_breakdown') return operators
  return operators.includes('avg') ? all.dateOperators : []
}

/** What a breakdown by `outer` may hold a breakdown by; anything in a breakdown by date. */
export const mayBeInside = ({ notInside }: Resource, outer: string, inner: string): boolean =>
  inner !== outer &&
  !(notInside[outer] ?? []).some((rule) =>
    rule.endsWith('.*') ? inner.startsWith(rule.slice(0, -1)) : rule === inner,
  )

const splitPath = (path: string): readonly [string, string] => {
  const at = path.lastIndexOf('.')
  return [path.slice(0, at), path.slice(at + 1)]
}

/** `line_items.options` → `Line items, options`. */
const entityLabel = (entity: string): string => labelOf(entity.replaceAll('.', ', '))

/** `order.country_code` → `Country code`. */
export const nameOf = (path: string): string => labelOf(splitPath(path)[1])

/** `order.country_code` → `Order: country code`. */
export const longNameOf = (path: string): string => {
  const [entity, name] = splitPath(path)
  return `${entityLabel(entity)}: ${labelOf(name).toLowerCase()}`
}

/** As short as it is clear among what is asked about: the entity only when it is not that of the record. */
export const shortNameOf = (path: string, record: string): string =>
  splitPath(path)[0] === record ? nameOf(path) : longNameOf(path)

export interface PathGroup {
  readonly label: string
  readonly paths: readonly string[]
}

/** By entity, that of the record first. */
export const groupPaths = (paths: readonly string[], record: string): readonly PathGroup[] => {
  const groups = Map.groupBy(paths, (path) => splitPath(path)[0])
  return [...groups]
    .toSorted(([a], [b]) => Number(b === record) - Number(a === record))
    .map(([entity, inside]) => ({ label: entityLabel(entity), paths: inside }))
}
