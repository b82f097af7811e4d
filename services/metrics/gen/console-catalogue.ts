/**
 * Writes services/console/page/src/metrics/catalogue.json: what the console can ask of metrics, so that its page names no
 * field by itself. `node services/metrics/gen/console-catalogue.ts`
 */
import { writeFile } from 'node:fs/promises'
import {
  dateBreakdownOperators,
  intervals,
  listOperators,
  rangeOperators,
  singleNumber,
  type Attribute,
  type FilterKey,
  type Resource,
} from '../src/catalogue/attribute.ts'
import { loadCatalogue } from '../src/catalogue/load-catalogue.ts'
import { interpolate } from '../src/present/percentiles.ts'
import { toMeasuredValue } from '../src/present/value.ts'
import { limits } from '../src/request/limits.ts'
import { twoSided } from '../src/request/resolve-condition.ts'
import { isRate } from '../src/sql/is-rate.ts'

/** Where the list is kept. */
export const consoleCataloguePath = new URL('../../console/page/src/metrics/catalogue.json', import.meta.url)

const flags = (uses: Readonly<Record<string, boolean>>): Readonly<Record<string, true>> =>
  Object.fromEntries(Object.entries(uses).flatMap(([name, is]) => (is ? [[name, true] as const] : [])))

const attributeOf = (attribute: Attribute) => ({
  type: attribute.type,
  ...(attribute.operators.length === 0 ? {} : { operators: attribute.operators }),
  ...(attribute.types.length === 0 ? {} : { tells: attribute.types }),
  ...flags({
    by: attribute.isBy,
    dateBy: attribute.isDateBy,
    search: attribute.isSearchable,
    export: attribute.isExportable,
    sortBy: attribute.isSortable,
    money: attribute.type === 'float' && !isRate(attribute),
  }),
})

const filterOf = (key: FilterKey) => {
  switch (key.kind) {
    case 'boolean':
    case 'query':
      return { kind: key.kind, attribute: key.attribute.path }
    case 'string':
      return { kind: key.kind, attribute: key.attribute.path, values: key.values }
    case 'range':
      return { kind: key.kind, attribute: key.attribute.path, item: key.item }
    case 'list':
      return {
        kind: key.kind,
        attribute: key.attribute.path,
        item: key.item,
        operators: key.operators,
        ...(key.values === undefined ? {} : { values: key.values }),
      }
    case 'date_bound':
    case 'date_field':
    case 'section':
      return undefined
  }
}

const filtersOf = ({ filters, alias }: Resource) =>
  Object.fromEntries(
    [...filters].flatMap(([section, keys]) =>
      section === alias
        ? []
        : [...keys].flatMap(([name, key]) => {
            const filter = filterOf(key)
            return filter === undefined ? [] : [[`${section}.${name}`, filter] as const]
          }),
    ),
  )

const datesOf = ({ filters, record, name }: Resource) => {
  const key = filters.get(record)?.get('date_field')
  if (key?.kind !== 'date_field') throw new Error(`${name} has no date_field in its catalogue`)
  return { dateFields: key.values, dateField: key.default }
}

/** Amounts mean something in one currency only: the filter that chooses it. */
const currencyFilterOf = (resource: Resource): string => {
  const found = Object.entries(filtersOf(resource)).find(
    ([, { attribute }]) => attribute === `${resource.record}.currency_code`,
  )
  if (found === undefined) throw new Error(`${resource.name} has no filter for the currency`)
  return found[0]
}

const resourceOf = (resource: Resource) => ({
  record: resource.record,
  subject: resource.subject,
  ...datesOf(resource),
  sortBy: resource.sortByDefault.path,
  currencyFilter: currencyFilterOf(resource),
  attributes: Object.fromEntries(
    [...resource.attributes.values()]
      .filter(({ aliasOf }) => aliasOf === undefined)
      .map((attribute) => [attribute.path, attributeOf(attribute)]),
  ),
  filters: filtersOf(resource),
  notInside: Object.fromEntries(resource.nestedByForbidden),
})

/** The names of what the operators with several numbers give, as an answer has them. */
const membersOf = (): Readonly<Record<string, readonly string[]>> => {
  const field = loadCatalogue().get('orders')?.sortByDefault
  if (field === undefined) throw new Error('the catalogue has no orders')
  return {
    stats: Object.keys(toMeasuredValue({}, { field, operator: 'stats' }) ?? {}),
    percentiles: Object.keys(interpolate([], 0)),
  }
}

const catalogue = () => ({
  intervals,
  dateOperators: dateBreakdownOperators,
  rangeOperators,
  twoSided: [...twoSided],
  listOperators,
  singleNumber: [...singleNumber],
  members: membersOf(),
  limits: {
    buckets: limits.breakdownDefault,
    bucketsMax: limits.breakdownMax,
    records: limits.searchDefault,
    fieldsMax: limits.fieldsMax,
    itemsMax: limits.listItemsMax,
    exportMax: limits.exportMax,
    days: limits.defaultRangeDays,
  },
})

/** A line for each attribute and filter, so that changes can be read. */
export const renderConsoleCatalogue = (): string => {
  const entry =
    (indent: string) =>
    ([name, value]: readonly [string, unknown]): string =>
      `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`
  const block = (indent: string, name: string, value: object): string =>
    `${indent}${JSON.stringify(name)}: {\n${Object.entries(value)
      .map(entry(`${indent}  `))
      .join(',\n')}\n${indent}}`
  const resources = [...loadCatalogue().values()].map((resource) => {
    const { attributes, filters, notInside, ...own } = resourceOf(resource)
    const lines = [
      ...Object.entries(own).map(entry('      ')),
      block('      ', 'attributes', attributes),
      block('      ', 'filters', filters),
      block('      ', 'notInside', notInside),
    ]
    return `    ${JSON.stringify(resource.name)}: {\n${lines.join(',\n')}\n    }`
  })
  const general = Object.entries(catalogue()).map(entry('  '))
  return `{\n${[...general, `  "resources": {\n${resources.join(',\n')}\n  }`].join(',\n')}\n}\n`
}

if (import.meta.main) await writeFile(consoleCataloguePath, renderConsoleCatalogue())
