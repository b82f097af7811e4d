/** List queries that a caller could think of, made from a definition and the values that are in its tables. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { predicates, valueKindOf } from '@merx/jsonapi/predicates'
import type { Predicate, ValueKind } from '@merx/jsonapi/predicates'
import type { Relationship } from '@merx/jsonapi/relationships'
import fc from 'fast-check'
import type { Registry } from '../../src/engine/registry.ts'
import type { Tables } from './naive-filter.ts'

/** A query as parameters; `sorts` and `includes` as they are in it, for the naive evaluation. */
export interface ArbitraryQuery {
  readonly type: string
  readonly text: string
  readonly sorts: readonly string[]
  /** Paths, such as `prices.price_list`. */
  readonly includes: readonly string[]
  readonly number: number
  readonly size: number
}

interface Field {
  readonly name: string
  readonly kind: ValueKind
  readonly values: readonly unknown[]
}

/** What the naive evaluation knows: foreign keys and their inverses. */
export const isPlain = (relationship: Relationship, registry: Registry): boolean => {
  if (relationship.kind === 'polymorphicToOne' || relationship.virtual !== undefined) return false
  if (relationship.kind === 'toOne') return true
  const back = registry.require(relationship.target).relationships[relationship.inverse ?? '']
  return back?.kind === 'toOne'
}

export const arbitraryQuery = (
  definition: ResourceDefinition,
  registry: Registry,
  tables: Tables,
): fc.Arbitrary<ArbitraryQuery> => {
  const fields = [...ownFields(definition, tables), ...fieldsAcross(definition, registry, tables)]
  const includable = [...pathsFrom(definition, registry)]
  return fc
    .record({
      filters: fc.uniqueArray(arbitraryFilter(fields), { maxLength: 3, selector: ([name]) => name }),
      sorts: fc.uniqueArray(arbitrarySort(definition), {
        maxLength: 3,
        selector: (name) => name.replace('-', ''),
      }),
      includes: fc.subarray(includable, { maxLength: Math.min(3, includable.length) }),
      number: fc.integer({ min: 1, max: 3 }),
      size: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ filters, sorts, includes, number, size }) => ({
      type: definition.type,
      text: [
        ...filters.map(([name, value]) => `filter[q][${name}]=${encodeURIComponent(value)}`),
        ...(sorts.length > 0 ? [`sort=${sorts.join(',')}`] : []),
        ...(includes.length > 0 ? [`include=${includes.join(',')}`] : []),
        `page[number]=${number}&page[size]=${size}`,
      ].join('&'),
      sorts,
      includes,
      number,
      size,
    }))
}

/** Relationships in a row: three lead back to where they began, by another way. */
const INCLUDE_STEPS_MAX = 3

/** Members of an abstract type have relationships of their own, so paths end there. */
const pathsFrom = (
  { relationships, abstract }: ResourceDefinition,
  registry: Registry,
  steps = INCLUDE_STEPS_MAX,
): readonly string[] =>
  Object.entries(abstract === undefined ? relationships : {}).flatMap(([name, relationship]) => {
    if (!relationship.include || !isPlain(relationship, registry)) return []
    if (relationship.kind === 'polymorphicToOne' || steps === 1) return [name]
    const beyond = pathsFrom(registry.require(relationship.target), registry, steps - 1)
    return [name, ...beyond.map((path) => `${name}.${path}`)]
  })

const ownFields = (definition: ResourceDefinition, tables: Tables): readonly Field[] => {
  const rows = tables.get(definition.table) ?? []
  const ids = rows.map((row) => encodeId(definition.memberOf ?? definition.type, Number(row['id'])))
  return [
    { name: 'id', kind: 'id', values: [...ids, 'abcdefghij'] },
    ...Object.entries(definition.attributes).flatMap(([name, attribute]) => {
      const kind = valueKindOf(attribute.kind)
      if (!attribute.filter || kind === undefined) return []
      return [{ name, kind, values: valuesOf(rows, columnOf(name, attribute)) }]
    }),
  ]
}

/** Over one relationship or two: what is further away has more names than callers have use for. */
const STEPS_MAX = 2

const fieldsAcross = (
  definition: ResourceDefinition,
  registry: Registry,
  tables: Tables,
  steps = STEPS_MAX,
): readonly Field[] =>
  Object.entries(definition.relationships).flatMap(([name, relationship]) => {
    if (!relationship.filter || !isPlain(relationship, registry) || relationship.kind === 'polymorphicToOne')
      return []
    const target = registry.require(relationship.target)
    const beyond = steps > 1 ? fieldsAcross(target, registry, tables, steps - 1) : []
    return [...ownFields(target, tables), ...beyond].map((field) => ({
      ...field,
      name: `${name}_${field.name}`,
    }))
  })

const valuesOf = (rows: readonly Row[], column: string): readonly unknown[] =>
  rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined)

/** `code_or_name_cont` → value. */
const arbitraryFilter = (fields: readonly Field[]): fc.Arbitrary<readonly [string, string]> =>
  fc.constantFrom(...fields).chain((first) => {
    const alike = fields.filter(({ kind }) => kind === first.kind)
    const usable = predicates.filter(({ kinds }) => kinds.includes(first.kind))
    return fc
      .record({
        predicate: fc.constantFrom(...usable),
        others: fc.subarray(alike, { maxLength: Math.min(2, alike.length) }),
        joint: fc.constantFrom('_or_', '_and_'),
      })
      .chain(({ predicate, others, joint }) => {
        const members = [...new Set([first, ...others])]
        const names = members.map(({ name }) => name).join(joint)
        const values = members.flatMap((member) => member.values)
        return arbitraryValue(predicate, first.kind, values).map(
          (value) => [`${names}_${predicate.name}`, value] as const,
        )
      })
  })

const arbitraryValue = (
  { takes }: Predicate,
  kind: ValueKind,
  values: readonly unknown[],
): fc.Arbitrary<string> => {
  if (takes === 'boolean') return fc.constantFrom('true', 'false')
  const one = arbitraryScalar(kind, values)
  if (takes === 'json') return one
  return takes === 'one' ? one : fc.array(one, { minLength: 1, maxLength: 3 }).map((list) => list.join(','))
}

const FALLBACKS: Readonly<Record<ValueKind, readonly string[]>> = {
  text: ['SKU', 'a', '_', '100%', 'E', 'nothing'],
  integer: ['0', '4500', '-1'],
  float: ['0', '300.5', '12'],
  boolean: ['true', 'false'],
  instant: ['2026-01-03', '2026-01-03T12:30:00.250Z', '1999-12-31'],
  object: ['{}', '{"season":{"year":2026}}', '{"tags":["a"]}'],
  list: ['[]'],
  id: ['abcdefghij'],
}

const arbitraryScalar = (kind: ValueKind, values: readonly unknown[]): fc.Arbitrary<string> => {
  const known =
    kind === 'object' || kind === 'list' ? [] : values.map(toText).filter((text) => !text.includes(','))
  const pieces =
    kind === 'text' ? known.flatMap((text) => [text.slice(0, 3), text.slice(-3), text.slice(2, 5)]) : []
  const texts = [...FALLBACKS[kind], ...known, ...pieces].filter(
    (text) => text !== '' && !text.includes('\\'),
  )
  return fc.constantFrom(...new Set(texts))
}

const toText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

const arbitrarySort = (definition: ResourceDefinition): fc.Arbitrary<string> => {
  const names = Object.entries(definition.attributes).filter(([, { sort }]) => sort)
  return fc
    .constantFrom('id', ...names.map(([name]) => name))
    .chain((name) => fc.constantFrom(name, `-${name}`))
}
