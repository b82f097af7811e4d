/** Generated queries to the metrics interface, from each catalogue's own attributes and filters and from wrong ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FuzzRequest } from './fuzz-request.ts'
import { ODD_MEDIA_TYPES, ODD_TEXTS, ODD_VALUES } from './odd-values.ts'
import type { Random } from './random.ts'

interface Catalogue {
  readonly record: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly wildcards: readonly string[]
  readonly filters: Readonly<Record<string, unknown>>
}

const FOLDER = join(import.meta.dirname, '../../services/metrics/src/catalogue')

const readCatalogue = (name: string): Catalogue =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Catalogue

const RESOURCES = ['orders', 'carts', 'returns'] as const

const OPERATORS = ['value_count', 'cardinality', 'avg', 'max', 'min', 'sum', 'stats', 'percentiles', 'x']
const CONDITIONS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'gt_lt',
  'gte_lte',
  'gte_lt',
  'gt_lte',
  'in',
  'not_in',
]
const DATES = [
  '2026-11-01T00:00:00Z',
  '2025-01-01T00:00:00Z',
  '2026-12-31T23:59:59Z',
  '1970-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  '2026-06-30T23:59:60Z',
  '2026-01-01T00:00:00.123456Z',
  '2026-01-01',
]

/** Bodies for one resource. */
const createBodies = (random: Random, { record, attributes, wildcards, filters }: Catalogue) => {
  const { pick, chance, many } = random
  const paths = Object.keys(attributes)
  const keys = Object.keys(filters)
  const path = (): string => (chance(0.92) ? pick(paths) : pick([...wildcards, ...ODD_TEXTS]))

  const item = (): unknown =>
    chance(0.5) ? pick(ODD_VALUES) : pick(['EU', 'USD', 1, 10.5, 'placed', 'skus', ...DATES])
  const condition = (): unknown => {
    if (chance(0.15)) return pick(ODD_VALUES)
    const operator = pick(CONDITIONS)
    const isList = operator === 'in' || operator === 'not_in' || operator.includes('_')
    const value = isList ? many(0, 3, item) : item()
    return chance(0.05) ? { [operator]: value, lt: 1 } : { [operator]: value }
  }

  const filter = (): unknown => {
    if (chance(0.05)) return pick(ODD_VALUES)
    const sections: Record<string, Record<string, unknown>> = {}
    for (const key of many(0, 4, () => (chance(0.92) ? pick(keys) : `${record}.${pick(ODD_TEXTS)}`))) {
      const [section = '', ...rest] = key.split('.')
      const inside = (sections[section] ??= {})
      if (rest.length > 1 && chance(0.8)) inside[rest[0] ?? ''] = { [rest.slice(1).join('.')]: condition() }
      else inside[rest.join('.')] = chance(0.1) ? chance(0.5) : condition()
    }
    if (chance(0.5)) {
      const order = (sections[record] ??= {})
      order['date_from'] = chance(0.8) ? pick(DATES.slice(0, 2)) : pick([...DATES, ...ODD_VALUES])
      if (chance(0.9))
        order['date_to'] = chance(0.8) ? pick(DATES.slice(2, 3)) : pick([...DATES, ...ODD_VALUES])
      if (chance(0.5)) order['date_field'] = pick(['current_date', 'placed_at', 'created_at', 'x'])
    }
    return sections
  }

  const level = (depth: number): Record<string, unknown> => ({
    by: path(),
    field: path(),
    operator: pick(OPERATORS),
    ...(chance(0.3) ? { sort: pick(['asc', 'desc', ...ODD_VALUES]) } : {}),
    ...(chance(0.3) ? { limit: pick([1, 10, 100, 101, ...ODD_VALUES]) } : {}),
    ...(chance(0.3) ? { condition: condition() } : {}),
    ...(depth > 0 && chance(0.4) ? { breakdown: chance(0.9) ? level(depth - 1) : pick(ODD_VALUES) } : {}),
  })

  const query = (type: string): unknown => {
    if (chance(0.05)) return pick(ODD_VALUES)
    if (type === 'stats') return { field: path(), operator: pick(OPERATORS) }
    if (type === 'breakdown') return level(2)
    if (type === 'date_breakdown') {
      const { condition: _condition, sort: _sort, limit: _limit, ...rest } = level(3)
      const by = pick(paths.filter((name) => /_at$|_date$/.test(name)))
      return {
        ...rest,
        by: chance(0.9) ? by : path(),
        interval: pick(['hour', 'day', 'week', 'month', 'year', 'x']),
      }
    }
    return {
      fields: chance(0.95) ? many(0, 6, () => (chance(0.2) ? pick(wildcards) : path())) : pick(ODD_VALUES),
      ...(chance(0.4) ? { limit: pick([1, 25, 100, 0, ...ODD_VALUES]) } : {}),
      ...(chance(0.4) ? { sort: pick(['asc', 'desc', ...ODD_VALUES]) } : {}),
      ...(chance(0.4)
        ? { sort_by: chance(0.7) ? `${record}.${pick(['placed_at', 'approved_at', 'created_at'])}` : path() }
        : {}),
      ...(chance(0.2)
        ? { cursor: pick([null, ...ODD_VALUES, Buffer.from('["x"]').toString('base64')]) }
        : {}),
    }
  }

  const body = (type: string): string | Buffer => {
    const whole: unknown = chance(0.03)
      ? pick(ODD_VALUES)
      : {
          ...(chance(0.95) ? { filter: filter() } : {}),
          ...(chance(0.97) ? { [type === 'export' ? 'search' : type]: query(type) } : {}),
          ...(chance(0.03) ? { [pick(ODD_TEXTS)]: {} } : {}),
        }
    const json = JSON.stringify(whole).replaceAll(/"1e400"/g, '1e400')
    switch (random.below(40)) {
      case 0:
        return json.slice(0, random.below(json.length + 1))
      case 1:
        return Buffer.from(json, 'utf16le')
      case 2:
        return `\ufeff${json}`
      case 3:
        return `${'{"filter":'.repeat(500)}1${'}'.repeat(500)}`
      default:
        return json
    }
  }

  return body
}

export const createMetricsFuzz = (random: Random, tokens: readonly string[]) => {
  const { pick, chance } = random
  const bodies = new Map(RESOURCES.map((name) => [name, createBodies(random, readCatalogue(name))]))
  return (): FuzzRequest => {
    const type = pick(['breakdown', 'date_breakdown', 'stats', 'search', 'export'])
    const name = chance(0.5) ? 'orders' : pick(RESOURCES)
    const resource = chance(0.97) ? name : pick(['analysis', ...ODD_TEXTS])
    const last = chance(0.97) ? type : pick(['fbt', ...ODD_TEXTS])
    return {
      method: chance(0.97) ? 'POST' : pick(['GET', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH']),
      path: `/${encodeURIComponent(resource.toWellFormed())}/${encodeURIComponent(last.toWellFormed())}`,
      headers: {
        Authorization: chance(0.97) ? `Bearer ${pick(tokens)}` : pick(['', 'Bearer', 'Basic a', 'bearer x']),
        Accept: chance(0.97) ? 'application/vnd.api.v1+json' : pick(ODD_MEDIA_TYPES),
        'Content-Type': chance(0.97) ? 'application/vnd.api+json' : pick(ODD_MEDIA_TYPES),
      },
      body: bodies.get(name)?.(type) ?? '',
    }
  }
}
