/** The query objects of a resource, from its catalogue: what may be grouped, computed, shown and sorted. */
import {
  dateBreakdownOperators,
  intervals,
  singleNumber,
  sortDirections,
  type Attribute,
  type Operator,
  type Resource,
} from '../../src/catalogue/attribute.ts'
import { limits } from '../../src/request/limits.ts'
import { enumOf, objectOf, pascalCase, refTo, type Schema } from './schema.ts'

const attributes = (resource: Resource, is: (attribute: Attribute) => boolean): readonly Attribute[] =>
  [...resource.attributes.values()].filter(is)

const pathsOf = (found: readonly Attribute[]): readonly string[] => found.map(({ path }) => path)

/** Fields by the operators that they take: a field with one of its operators. */
const measureRules = (resource: Resource): readonly Schema[] => {
  const computable = attributes(resource, ({ operators }) => operators.length > 0)
  const groups = Map.groupBy(computable, ({ operators }) => operators.join(' '))
  return [...groups.values()].map((group) => ({
    properties: { field: enumOf(pathsOf(group)), operator: enumOf(group[0]?.operators ?? []) },
  }))
}

const sort: Schema = { ...enumOf(sortDirections), default: 'desc' }

const withoutNumber = (operator: Operator): boolean => !singleNumber.has(operator)

/** A condition compares one number, which these operators do not give. */
const noCondition: Schema = {
  if: { properties: { operator: enumOf((['stats', 'percentiles'] as const).filter(withoutNumber)) } },
  then: { properties: { condition: false } },
}

const forbiddenIn = (resource: Resource, outer: string): readonly string[] => {
  const rules = resource.nestedByForbidden.get(outer) ?? []
  const isForbidden = (path: string): boolean =>
    path === outer ||
    rules.some((rule) => (rule.endsWith('.*') ? path.startsWith(rule.slice(0, -1)) : rule === path))
  return pathsOf(attributes(resource, ({ isBy, path, aliasOf = path }) => isBy && isForbidden(aliasOf)))
}

/** Per outer `by`, what the one inside may not be. */
const nestingRules = (resource: Resource): readonly Schema[] =>
  attributes(resource, ({ isBy }) => isBy).map(({ path, aliasOf = path }) => ({
    if: { properties: { by: { const: path } } },
    then: {
      properties: { breakdown: { properties: { by: { not: { enum: forbiddenIn(resource, aliasOf) } } } } },
    },
  }))

const breakdownSchema = (resource: Resource, inner: Schema | undefined): Schema => ({
  ...objectOf(
    {
      by: enumOf(pathsOf(attributes(resource, ({ isBy }) => isBy))),
      field: { type: 'string' },
      operator: { type: 'string' },
      condition: refTo('NumberComparison'),
      sort,
      limit: { type: 'integer', minimum: 1, maximum: limits.breakdownMax, default: limits.breakdownDefault },
      ...(inner === undefined ? {} : { breakdown: inner }),
    },
    ['by', 'field', 'operator'],
  ),
  oneOf: measureRules(resource),
  allOf: [noCondition, ...(inner === undefined ? [] : nestingRules(resource))],
})

/** The strict dialect: five operators, on every field that holds numbers. */
const dateBreakdownSchema = (resource: Resource, breakdown: Schema): Schema =>
  objectOf(
    {
      by: enumOf(pathsOf(attributes(resource, ({ isDateBy }) => isDateBy))),
      field: enumOf(pathsOf(attributes(resource, ({ operators }) => operators.includes('avg')))),
      operator: enumOf(dateBreakdownOperators),
      interval: { ...enumOf(intervals), default: 'month' },
      breakdown,
    },
    ['by', 'field', 'operator'],
  )

const statsSchema = (resource: Resource): Schema => ({
  ...objectOf({ field: { type: 'string' }, operator: { type: 'string' } }, ['field', 'operator']),
  oneOf: measureRules(resource),
})

const fieldsSchema = (resource: Resource, isShown: (attribute: Attribute) => boolean): Schema => {
  const shown = pathsOf(attributes(resource, isShown))
  const has = (wildcard: string): boolean =>
    shown.some((path) => path.slice(0, path.lastIndexOf('.')) === wildcard.slice(0, -2))
  return {
    type: 'array',
    minItems: 1,
    maxItems: limits.fieldsMax,
    items: enumOf([...resource.wildcards.filter(has), ...shown]),
  }
}

const sortBySchema = (resource: Resource): Schema => ({
  ...enumOf(pathsOf(attributes(resource, ({ isSortable }) => isSortable))),
  default: resource.sortByDefault.path,
})

const searchSchema = (resource: Resource): Schema =>
  objectOf(
    {
      fields: fieldsSchema(resource, ({ isSearchable }) => isSearchable),
      limit: { type: 'integer', minimum: 1, maximum: limits.searchMax, default: limits.searchDefault },
      sort,
      sort_by: sortBySchema(resource),
      cursor: {
        type: ['string', 'null'],
        description: 'From meta.pagination of the page before; null is the first page.',
      },
    },
    ['fields'],
  )

const exportSchema = (resource: Resource): Schema =>
  objectOf(
    {
      fields: fieldsSchema(resource, ({ isExportable }) => isExportable),
      sort,
      sort_by: sortBySchema(resource),
      escape_formulas: {
        type: 'boolean',
        default: true,
        description: 'Whether texts that begin like a formula get an apostrophe in front.',
      },
    },
    ['fields'],
  )

/** Named schemas of one resource: `OrdersBreakdown`, `OrdersSearch`, … */
export const querySchemas = (resource: Resource): Readonly<Record<string, Schema>> => {
  const name = (kind: string): string => `${pascalCase(resource.name)}${pascalCase(kind)}`
  return {
    [name('inner_breakdown')]: breakdownSchema(resource, undefined),
    [name('breakdown')]: breakdownSchema(resource, refTo(name('inner_breakdown'))),
    [name('date_breakdown')]: dateBreakdownSchema(resource, refTo(name('breakdown'))),
    [name('stats')]: statsSchema(resource),
    [name('search')]: searchSchema(resource),
    [name('export')]: exportSchema(resource),
  }
}
