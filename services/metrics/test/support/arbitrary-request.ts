/** Valid request bodies made from the catalogue data: every attribute, operator and filter key comes up. */
import fc from 'fast-check'
import { dateBreakdownOperators, rangeOperators } from '../../src/catalogue/attribute.ts'
import type { ResourceData } from '../../src/catalogue/load-catalogue.ts'
import { bodyKeyOf } from '../../src/request/query.ts'
import { arbitraryFilter, type Body } from './arbitrary-filter.ts'
import type { View } from './oracle-view.ts'

const SINGLE = ['value_count', 'cardinality', 'avg', 'max', 'min', 'sum']

const paths = (
  data: ResourceData,
  is: (attribute: ResourceData['attributes'][string]) => boolean,
): readonly string[] => Object.entries(data.attributes).flatMap(([path, one]) => (is(one) ? [path] : []))

const isForbidden = (data: ResourceData, outer: string, inner: string): boolean =>
  outer === inner ||
  (data.nested_by_forbidden[outer] ?? []).some((rule) =>
    rule.endsWith('.*') ? inner.startsWith(rule.slice(0, -1)) : rule === inner,
  )

/** A field with an operator that it takes. */
const measure = (data: ResourceData): fc.Arbitrary<Body> =>
  fc.constantFrom(...paths(data, ({ operators }) => operators !== undefined)).chain((field) =>
    fc.record({
      field: fc.constant(field),
      operator: fc.constantFrom(...(data.attributes[field]?.operators ?? [])),
    }),
  )

const strictDateMeasure = (data: ResourceData): fc.Arbitrary<Body> =>
  fc.record({
    field: fc.constantFrom(...paths(data, ({ operators }) => operators?.includes('avg') === true)),
    operator: fc.constantFrom(...dateBreakdownOperators),
  })

const condition: fc.Arbitrary<Body> = fc
  .tuple(
    fc.constantFrom(...rangeOperators),
    fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(-7.5, -0.01, 0.22, 12.34)),
    fc.oneof(fc.integer({ min: 40, max: 400 }), fc.constantFrom(99.95, Number.MAX_SAFE_INTEGER)),
  )
  .map(([operator, low, high]) => ({ [operator]: operator.includes('_') ? [low, high] : low }))

const limit = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 100 }) },
)

const shape = fc.record({ sort: fc.constantFrom('asc', 'desc'), limit, condition }, { requiredKeys: [] })

const breakdown = (data: ResourceData, depth: number, outer?: string): fc.Arbitrary<Body> => {
  const allowed = paths(data, ({ by }) => by === true).filter(
    (path) => outer === undefined || !isForbidden(data, outer, path),
  )
  return fc.tuple(fc.constantFrom(...allowed), measure(data), shape).chain(([by, measured, rest]) => {
    const { condition: asked, ...kept } = rest
    const isSingle = SINGLE.includes(String(measured.operator))
    const level = {
      by,
      ...measured,
      ...kept,
      ...(isSingle && asked !== undefined ? { condition: asked } : {}),
    }
    if (depth === 0) return fc.constant(level)
    return fc.option(breakdown(data, depth - 1, by), { nil: undefined }).map((inner) => ({
      ...level,
      ...(inner === undefined ? {} : { breakdown: inner }),
    }))
  })
}

const dateBreakdown = (data: ResourceData, isStrict: boolean): fc.Arbitrary<Body> =>
  fc
    .tuple(
      fc.constantFrom(...paths(data, ({ date_by }) => date_by === true)),
      isStrict ? strictDateMeasure(data) : measure(data),
      fc.option(fc.constantFrom('hour', 'day', 'week', 'month', 'year'), { freq: 9, nil: undefined }),
      fc.option(breakdown(data, 1), { nil: undefined }),
    )
    .map(([by, measured, interval, inner]) => ({
      by,
      ...measured,
      ...(interval === undefined ? {} : { interval }),
      ...(inner === undefined ? {} : { breakdown: inner }),
    }))

const isIn = (wildcard: string, path: string): boolean =>
  path.slice(0, path.lastIndexOf('.')) === wildcard.slice(0, -2)

/** What an export takes of a search: `shown` and the wildcards that stand for any of them. */
const listing = (data: ResourceData, shown: readonly string[]) => {
  const wildcards = data.wildcards.filter((wildcard) => shown.some((path) => isIn(wildcard, path)))
  return {
    fields: fc.array(fc.constantFrom(...wildcards, ...shown), { minLength: 1, maxLength: 6 }),
    sort: fc.constantFrom('asc', 'desc'),
    sort_by: fc.constantFrom(...paths(data, ({ sort_by }) => sort_by === true)),
  }
}

const search = (data: ResourceData): fc.Arbitrary<Body> => {
  const searched = listing(
    data,
    paths(data, (one) => one.search === true),
  )
  return fc.record({ ...searched, limit: fc.integer({ min: 3, max: 100 }) }, { requiredKeys: ['fields'] })
}

const exported = (data: ResourceData): fc.Arbitrary<Body> => {
  const shown = paths(data, (one) => one.export === true)
  return fc.record(listing(data, shown), { requiredKeys: ['fields'] })
}

export interface ArbitraryRequest {
  readonly kind: 'breakdown' | 'date_breakdown' | 'stats' | 'search' | 'export'
  readonly dialect: 'strict' | 'vendor'
  readonly body: Body
}

/** A request or answer with `cart.…` and the section `cart` in place of `order.…` and `order`. */
export const underCartAlias = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll('"order.', '"cart.').replaceAll('"order":', '"cart":')) as T

/** Requests over one resource; `views` are its records, from which filters take their values. */
export const arbitraryRequest = (
  data: ResourceData,
  views: readonly View[],
): fc.Arbitrary<ArbitraryRequest> => {
  const queries = [
    { kind: 'breakdown', dialect: 'strict', query: breakdown(data, 1), weight: 4 },
    { kind: 'date_breakdown', dialect: 'strict', query: dateBreakdown(data, true), weight: 2 },
    { kind: 'date_breakdown', dialect: 'vendor', query: dateBreakdown(data, false), weight: 2 },
    { kind: 'stats', dialect: 'strict', query: measure(data), weight: 2 },
    { kind: 'search', dialect: 'strict', query: search(data), weight: 2 },
    { kind: 'export', dialect: 'strict', query: exported(data), weight: 1 },
  ] as const
  const filter = arbitraryFilter(data, views)
  return fc.oneof(
    ...queries.map(({ kind, dialect, query, weight }) => ({
      weight,
      arbitrary: fc.tuple(query, filter).map(([asked, given]): ArbitraryRequest => ({
        kind,
        dialect,
        body: { [bodyKeyOf(kind)]: asked, ...(Object.keys(given).length === 0 ? {} : { filter: given }) },
      })),
    })),
  )
}
