/**
 * A question to metrics, as the address has it. Whatever an address says becomes a question that can be asked: what the
 * catalogue does not know is left out.
 */
import {
  intervals,
  isTwoSided,
  limits,
  listOperators,
  mayBeInside,
  membersOf,
  operatorsOf,
  rangeOperators,
  resourceNames,
  resourceOf,
  singleNumber,
  type FilterKey,
  type Resource,
} from './catalogue.ts'

export const KINDS = ['date_breakdown', 'breakdown', 'stats', 'search'] as const
export type Kind = (typeof KINDS)[number]

export const VIEWS = ['line', 'bar', 'stacked', 'table'] as const
export type View = (typeof VIEWS)[number]

/** Periods that end now. */
export const DAYS = [7, 30, 90, 365] as const

export type FilterValue = boolean | string | number | readonly (string | number)[]

/** Section and key, operator, value: `['order.currency_codes', 'in', ['EUR']]`; `is` for what has no operator. */
export type Filter = readonly [path: string, operator: string, value: FilterValue]

export type Condition = readonly [operator: string, value: number | readonly number[]]

export interface Question {
  readonly of: string
  readonly kind: Kind
  readonly field: string
  readonly operator: string
  /** Which of several numbers is drawn, of `stats` and `percentiles`; else empty. */
  readonly member: string
  /** What is grouped by; empty for kinds that do not group. */
  readonly by: string
  readonly interval: string
  /** A breakdown inside of each group; empty when there is none. */
  readonly split: string
  readonly sort: 'desc' | 'asc'
  readonly limit: number
  readonly condition?: Condition
  /** Of a search. */
  readonly fields: readonly string[]
  /** Which date of the records is within the period. */
  readonly date: string
  readonly days: number
  /** Instead of `days`: the first and the last day, `2026-01-31`. */
  readonly from?: string
  readonly to?: string
  readonly filters: readonly Filter[]
  readonly view: View
  /** With the period before. */
  readonly compare: boolean
}

/** What an address or a saved question says, before it is read. */
export type RawQuestion = Readonly<Record<string, unknown>>

const FILTERS_MAX = 20
const TEXT_MAX = 256
const DAY = /^\d{4}-\d{2}-\d{2}$/

const oneOf = <Value>(value: unknown, values: readonly Value[], otherwise: Value): Value =>
  values.find((known) => known === value) ?? otherwise

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_MAX

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value))

const readItems = (value: unknown, { item, values }: FilterKey): readonly (string | number)[] | undefined => {
  if (!Array.isArray(value)) return undefined
  const items = value.filter((each) => isText(each) || (isNumber(each) && item?.includes('integer') === true))
  const known = values === undefined ? items : items.filter((each) => values.includes(String(each)))
  return known.length === 0 ? undefined : (known as (string | number)[]).slice(0, limits.itemsMax)
}

const isOperand = (value: unknown, { item }: FilterKey): value is string | number =>
  item === 'datetime' ? isText(value) && !Number.isNaN(Date.parse(value)) : isNumber(value)

const readRange = (operator: unknown, value: unknown, key: FilterKey): FilterValue | undefined => {
  if (typeof operator !== 'string' || !rangeOperators.includes(operator)) return undefined
  if (!isTwoSided(operator)) return isOperand(value, key) ? value : undefined
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const operands = value.filter((each) => isOperand(each, key))
  return operands.length === 2 ? operands : undefined
}

const readFilterValue = (key: FilterKey, operator: unknown, value: unknown): FilterValue | undefined => {
  switch (key.kind) {
    case 'boolean':
      return operator === 'is' && typeof value === 'boolean' ? value : undefined
    case 'string':
      return operator === 'is' && key.values?.includes(String(value)) === true ? String(value) : undefined
    case 'query':
      return operator === 'query' && isText(value) ? value : undefined
    case 'list':
      return (key.operators ?? listOperators).some((known) => known === operator)
        ? readItems(value, key)
        : undefined
    case 'range':
      return readRange(operator, value, key)
  }
}

const readFilter = (raw: unknown, { filters }: Resource): readonly Filter[] => {
  if (!Array.isArray(raw)) return []
  const [path, operator, value] = raw as readonly unknown[]
  const key = typeof path === 'string' ? filters[path] : undefined
  const read = key === undefined ? undefined : readFilterValue(key, operator, value)
  return read === undefined ? [] : [[String(path), String(operator), read]]
}

/** Each key once: metrics takes one operator for each. */
const readFilters = (raw: unknown, resource: Resource): readonly Filter[] => {
  const filters = Array.isArray(raw) ? raw.flatMap((each) => readFilter(each, resource)) : []
  return [...new Map(filters.map((filter) => [filter[0], filter])).values()].slice(0, FILTERS_MAX)
}

const readCondition = (raw: unknown, kind: Kind, operator: string): Condition | undefined => {
  if (kind !== 'breakdown' || !singleNumber.includes(operator) || !Array.isArray(raw)) return undefined
  const [name, value] = raw as readonly unknown[]
  const read = readRange(name, value, { kind: 'range', attribute: '', item: 'number' })
  return read === undefined ? undefined : [String(name), read as number | readonly number[]]
}

type Grouping = Pick<Question, 'by' | 'split'>

const readGrouping = (raw: RawQuestion, kind: Kind, resource: Resource): Grouping => {
  if (kind === 'stats' || kind === 'search') return { by: '', split: '' }
  const paths = Object.entries(resource.attributes)
  const isDate = kind === 'date_breakdown'
  const bys = paths.filter(([, { by, dateBy }]) => (isDate ? dateBy : by) === true).map(([path]) => path)
  const dateBy = `${resource.record}.${oneOf(raw['date'], resource.dateFields, resource.dateField)}`
  const by = oneOf(raw['by'], bys, isDate ? oneOf(dateBy, bys, bys[0] ?? '') : (bys[0] ?? ''))
  const inner = paths.filter(
    ([path, attribute]) => attribute.by === true && (isDate || mayBeInside(resource, by, path)),
  )
  return { by, split: oneOf(raw['split'], ['', ...inner.map(([path]) => path)], '') }
}

const readMeasure = (raw: RawQuestion, kind: Kind, resource: Resource) => {
  if (kind === 'search') return { field: '', operator: '', member: '' }
  const fields = Object.keys(resource.attributes).filter(
    (path) => operatorsOf(resource, kind, path).length > 0,
  )
  const own = fields.find((path) => path.startsWith(`${resource.record}.`)) ?? fields[0] ?? ''
  const field = oneOf(raw['field'], fields, own)
  const operators = operatorsOf(resource, kind, field)
  const byDefault = oneOf('sum', operators, operators[0] ?? '')
  const operator = oneOf(raw['operator'], operators, byDefault)
  const members = membersOf(operator)
  const usual = members.find((name) => name === 'avg' || name === '50.0') ?? ''
  return { field, operator, member: oneOf(raw['member'], members, usual) }
}

const readFields = (
  raw: unknown,
  kind: Kind,
  { attributes, record, sortBy }: Resource,
): readonly string[] => {
  if (kind !== 'search') return []
  const known = (Array.isArray(raw) ? raw : []).filter(
    (path): path is string => typeof path === 'string' && attributes[path]?.search === true,
  )
  const byDefault = [`${record}.number`, `${record}.status`, sortBy].filter((path) => path in attributes)
  return known.length === 0 ? byDefault : [...new Set(known)].slice(0, limits.fieldsMax)
}

/** What a question of this kind can be shown as, the usual one first. */
export const viewsOf = ({ kind, split }: Pick<Question, 'kind' | 'split'>): readonly View[] => {
  const stacked = split === '' ? [] : (['stacked'] as const)
  if (kind === 'date_breakdown') return ['line', 'bar', ...stacked, 'table']
  return kind === 'breakdown' ? ['bar', ...stacked, 'table'] : ['table']
}

const readPeriod = (raw: RawQuestion): Pick<Question, 'days' | 'from' | 'to'> => {
  const { from, to } = raw
  const days = oneOf<number>(raw['days'], DAYS, limits.days)
  return isDay(from) && isDay(to) && from <= to ? { days, from, to } : { days }
}

const readLimit = (raw: unknown): number =>
  isNumber(raw) && Number.isInteger(raw) && raw >= 1 && raw <= limits.bucketsMax ? raw : limits.buckets

/** Takes what makes sense; an address that somebody typed is no reason for an error page. */
export const readQuestion = (raw: RawQuestion): Question => {
  const of = oneOf(raw['of'], resourceNames, resourceNames[0] ?? '')
  const resource = resourceOf(of)
  const kind = oneOf<Kind>(raw['kind'], KINDS, 'date_breakdown')
  const measure = readMeasure(raw, kind, resource)
  const grouping = readGrouping(raw, kind, resource)
  const condition = readCondition(raw['condition'], kind, measure.operator)
  const views = viewsOf({ kind, split: grouping.split })
  return {
    of,
    kind,
    ...measure,
    ...grouping,
    interval: oneOf(raw['interval'], intervals, 'day'),
    sort: oneOf(raw['sort'], ['desc', 'asc'] as const, 'desc'),
    limit: readLimit(raw['limit']),
    ...(condition === undefined ? {} : { condition }),
    fields: readFields(raw['fields'], kind, resource),
    date: oneOf(raw['date'], resource.dateFields, resource.dateField),
    ...readPeriod(raw),
    filters: readFilters(raw['filters'], resource),
    view: oneOf<View>(raw['view'], views, views[0] ?? 'table'),
    compare: raw['compare'] === true && kind !== 'search',
  }
}

const USED_BY: Readonly<Record<'interval' | 'sort' | 'limit', readonly Kind[]>> = {
  interval: ['date_breakdown'],
  sort: ['breakdown', 'search'],
  limit: ['breakdown'],
}

const isUsed = (name: string, value: unknown, question: Question): boolean => {
  const kinds = USED_BY[name as keyof typeof USED_BY]
  if (kinds !== undefined) return kinds.includes(question.kind)
  if (name === 'days') return question.from === undefined
  if (name === 'limit' && value === limits.buckets) return false
  return value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
}

/** What the address has: only what the kind uses. */
export const toRaw = (question: Question): RawQuestion =>
  Object.fromEntries(Object.entries(question).filter(([name, value]) => isUsed(name, value, question)))

/** The question with something else; what no longer fits is replaced. */
export const changeQuestion = (question: Question, changes: RawQuestion): Question =>
  readQuestion({ ...question, ...changes })

export const withFilter = (question: Question, filter: Filter): Question =>
  changeQuestion(question, {
    filters: [...question.filters.filter(([path]) => path !== filter[0]), filter],
  })

export const withoutFilter = (question: Question, path: string): Question =>
  changeQuestion(question, { filters: question.filters.filter(([each]) => each !== path) })

/** The one currency that the filters leave. */
export const currencyOf = ({ of, filters }: Question): string | undefined => {
  const { currencyFilter } = resourceOf(of)
  const [, operator, value] = filters.find(([path]) => path === currencyFilter) ?? []
  const [only, ...others] = Array.isArray(value) ? (value as readonly unknown[]) : []
  return operator === 'in' && others.length === 0 && typeof only === 'string' ? only : undefined
}

/** Whether the values are amounts, which mean something in one currency only. */
export const isMoney = ({ of, field, operator, member }: Question): boolean =>
  resourceOf(of).attributes[field]?.money === true &&
  !['value_count', 'cardinality'].includes(operator) &&
  member !== 'count'

const valueOfLabel = ({ kind, item }: FilterKey, label: string): readonly [string, FilterValue] => {
  if (kind === 'boolean') return ['is', label === 'true']
  if (kind === 'string') return ['is', label]
  if (kind === 'range') return ['eq', item === 'datetime' ? label : Number(label)]
  return ['in', [item === 'integer' ? Number(label) : label]]
}

/** The filter that leaves one group of `by`. */
export const filterOfGroup = (of: string, by: string, label: string): Filter | undefined => {
  const found = Object.entries(resourceOf(of).filters).find(
    ([, { attribute, kind }]) => attribute === by && kind !== 'query',
  )
  return found === undefined ? undefined : [found[0], ...valueOfLabel(found[1], label)]
}
