/** Valid request bodies made from the catalogue: every attribute, operator and filter key comes up. */
import { readFileSync } from 'node:fs'
import { dateBreakdownOperators, rangeOperators } from '../../src/catalogue/attribute.ts'
import type { ResourceData } from '../../src/catalogue/load-catalogue.ts'
import type { Value, View } from './oracle-view.ts'
import type { Random } from './random.ts'

export const ordersData = JSON.parse(
  readFileSync(new URL('../../src/catalogue/orders.json', import.meta.url), 'utf8'),
) as ResourceData

type Body = Readonly<Record<string, unknown>>
type FilterData = ResourceData['filters'][string][string]

/** Full-text queries with their meaning, for the oracle. */
export const texts: ReadonlyMap<string, (text: string) => boolean> = new Map<
  string,
  (text: string) => boolean
>([
  ['*@gmail.com', (text) => /@gmail\.com(?![\p{L}\p{N}])/iu.test(text)],
  [
    '(*@gmail.com | *@hotmail.com) + placed',
    (text) => /@(gmail|hotmail)\.com/i.test(text) && /\bplaced\b/i.test(text),
  ],
  ['*"person.1@hotmail.com"*', (text) => text.toLowerCase().includes('person.1@hotmail.com')],
  ['"new york" OR tokyo', (text) => /\b(new york|tokyo)\b/i.test(text)],
  ['*SHIRT*', (text) => text.toLowerCase().includes('shirt')],
  ['SHIRT', () => false],
  ['élodie', (text) => text.toLowerCase().includes('élodie')],
  ["l'aquila", (text) => text.toLowerCase().includes("l'aquila")],
  ['*', () => true],
  ['t*01', (text) => /(^|[^\p{L}\p{N}])t\S*01($|[^\p{L}\p{N}])/imu.test(text)],
])

const paths = (is: (data: ResourceData['attributes'][string]) => boolean): readonly string[] =>
  Object.entries(ordersData.attributes).flatMap(([path, data]) => (is(data) ? [path] : []))

const bys = paths(({ by }) => by === true)
const dateBys = paths(({ date_by }) => date_by === true)
const fields = paths(({ operators }) => operators !== undefined)
const numericFields = paths(({ operators }) => operators?.includes('avg') === true)
const sortBys = paths(({ sort_by }) => sort_by === true)

const operatorsOf = (path: string): readonly string[] => ordersData.attributes[path]?.operators ?? []

const isForbidden = (outer: string, inner: string): boolean =>
  outer === inner ||
  (ordersData.nested_by_forbidden[outer] ?? []).some((rule) =>
    rule.endsWith('.*') ? inner.startsWith(rule.slice(0, -1)) : rule === inner,
  )

const SINGLE = ['value_count', 'cardinality', 'avg', 'max', 'min', 'sum']

const condition = (random: Random): Body => {
  const operator = random.pick(rangeOperators)
  const [low, high] = [random.int(0, 40), random.int(40, 400)]
  return { [operator]: operator.includes('_') ? [low, high] : low }
}

const breakdown = (random: Random, depth: number, outer?: string): Body => {
  const field = random.pick(fields)
  const operator = random.pick(operatorsOf(field))
  const by = random.pick(bys.filter((path) => outer === undefined || !isForbidden(outer, path)))
  return {
    by,
    field,
    operator,
    ...(random.chance(0.5) ? { sort: random.pick(['asc', 'desc']) } : {}),
    ...(random.chance(0.5) ? { limit: random.int(1, 8) } : {}),
    ...(SINGLE.includes(operator) && random.chance(0.25) ? { condition: condition(random) } : {}),
    ...(depth > 0 && random.chance(0.5) ? { breakdown: breakdown(random, depth - 1, by) } : {}),
  }
}

/** Values of an attribute anywhere in a document. */
const valuesAt = (view: unknown, keys: readonly string[]): readonly Value[] => {
  const [key, ...rest] = keys
  if (Array.isArray(view) && key !== undefined) return view.flatMap((item) => valuesAt(item, keys))
  if (key === undefined) return (Array.isArray(view) ? view : [view]) as readonly Value[]
  if (typeof view !== 'object' || view === null) return []
  return valuesAt((view as Record<string, unknown>)[key] ?? null, rest)
}

const plain = (value: Value): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null && 'fixed' in value)
    return Number(value.fixed) / 100_000_000
  return value
}

const rangeCondition = (random: Random, item: string | undefined, values: readonly unknown[]): Body => {
  const operator = random.pick(rangeOperators)
  const fallback = item === 'datetime' ? '2021-06-01T00:00:00Z' : 1
  const draw = (): unknown => (values.length === 0 ? fallback : random.pick(values))
  if (!operator.includes('_')) return { [operator]: draw() }
  const pair = [draw(), draw()].sort((a, b) => ((a as number) < (b as number) ? -1 : 1))
  return { [operator]: pair }
}

const listCondition = (
  random: Random,
  { item, match, values: allowed }: FilterData,
  found: readonly unknown[],
): Body => {
  const texts_ = found
    .map(String)
    .filter((text) => text !== '' && (allowed === undefined || allowed.includes(text)))
  const pool = texts_.length === 0 ? (allowed ?? [item === 'integer' ? '7' : 'nothing here']) : texts_
  const items = random.some([...new Set(pool)], 2).map((text) => {
    if (item === 'integer') return Number(text)
    return match === 'prefix' ? text.slice(0, 8) : text
  })
  return { [random.pick(['in', 'not_in'])]: items }
}

const conditionFor = (random: Random, key: FilterData, views: readonly View[]): unknown => {
  const keys = (key.attribute ?? '').split('.')
  const some = Array.from({ length: 6 }, () => random.pick(views))
  const values = some
    .flatMap((view) => valuesAt(view, keys))
    .filter((value) => value !== null)
    .map(plain)
  switch (key.kind) {
    case 'boolean':
      return random.chance(0.5)
    case 'string':
      return random.pick(['test', 'live'])
    case 'query':
      return { query: random.pick([...texts.keys()]) }
    case 'range':
      return rangeCondition(random, key.item, values)
    default:
      return listCondition(random, key, values)
  }
}

/** Each filter key with the path it is written at. */
const filterKeys: readonly { path: readonly string[]; key: FilterData }[] = Object.entries(
  ordersData.filters,
).flatMap(([section, keys]) =>
  Object.entries(keys)
    .filter(([, key]) => key.attribute !== undefined)
    .map(([name, key]) => ({ path: [...section.split('.'), name], key })),
)

const put = (target: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [key = '', ...rest] = path
  if (rest.length === 0) target[key] = value
  else put((target[key] ??= {}) as Record<string, unknown>, rest, value)
}

const filter = (random: Random, views: readonly View[]): Body => {
  const body: Record<string, unknown> = {
    order: {
      date_from: random.pick(['2020-12-01T00:00:00Z', '2021-03-01T00:00:00Z']),
      date_to: random.pick(['2022-12-31T23:59:59Z', '2021-09-30T23:59:59Z']),
      ...(random.chance(0.5)
        ? { date_field: random.pick(['created_at', 'placed_at', 'updated_at', 'approved_at']) }
        : {}),
    },
  }
  const count = random.pick([0, 0, 1, 1, 2, 3])
  const lines = filterKeys.filter(({ path }) => path[0] === 'line_items')
  for (let index = 0; index < count; index += 1) {
    const { path, key } = random.pick(random.chance(0.3) ? lines : filterKeys)
    put(body, path, conditionFor(random, key, views))
  }
  return body
}

export interface RandomRequest {
  readonly kind: 'breakdown' | 'date_breakdown' | 'stats' | 'search'
  readonly dialect: 'strict' | 'vendor'
  readonly body: Body
}

export const makeRequest = (random: Random, views: readonly View[]): RandomRequest => {
  const kind = random.pick(['breakdown', 'breakdown', 'date_breakdown', 'stats', 'search'] as const)
  const dialect = random.pick(['strict', 'vendor'] as const)
  const field = random.pick(kind === 'date_breakdown' && dialect === 'strict' ? numericFields : fields)
  const operators =
    kind === 'date_breakdown' && dialect === 'strict' ? dateBreakdownOperators : operatorsOf(field)
  const measure = { field, operator: random.pick(operators) }
  const query = {
    stats: () => measure,
    breakdown: () => breakdown(random, 1),
    date_breakdown: () => ({
      by: random.pick(dateBys),
      ...measure,
      interval: random.pick(['hour', 'day', 'week', 'month', 'year']),
      ...(random.chance(0.4) ? { breakdown: breakdown(random, 1) } : {}),
    }),
    search: () => ({
      fields: ['order.id'],
      limit: random.int(3, 100),
      sort: random.pick(['asc', 'desc']),
      sort_by: random.pick(sortBys),
    }),
  }[kind]()
  return { kind, dialect, body: { [kind]: query, filter: filter(random, views) } }
}
