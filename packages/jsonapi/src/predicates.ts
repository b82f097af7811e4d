/** The predicates of `filter[q][<attributes>_<predicate>]` as data (core-conventions.md 4.2), longest name first. */
import type { AttributeKind } from './attributes.ts'
import type { Comparison } from './query.ts'

/** What the values of a field look like in a query. */
export type ValueKind = 'text' | 'integer' | 'float' | 'boolean' | 'instant' | 'object' | 'list' | 'id'

/** What a predicate asks of one value. */
export type PredicateMeaning =
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly orNull?: true }
  | {
      readonly kind: 'like'
      readonly form: 'pattern' | 'start' | 'end' | 'contains'
      readonly isNegated?: true
    }
  | { readonly kind: 'null' | 'blank'; readonly isNegated?: true }
  | { readonly kind: 'boolean'; readonly expected: boolean }
  | { readonly kind: 'containsJson' }

/** One suffix of `filter[q][<attributes>_<suffix>]`: its meaning, its value, and where it can be used. */
export interface Predicate {
  readonly name: string
  readonly meaning: PredicateMeaning
  readonly takes: 'one' | 'list' | 'boolean' | 'json'
  readonly quantifier: 'any' | 'all'
  readonly kinds: readonly ValueKind[]
}

const SCALARS: readonly ValueKind[] = ['text', 'integer', 'float', 'boolean', 'instant', 'id']
const ORDERED: readonly ValueKind[] = ['text', 'integer', 'float', 'instant', 'id']
const EVERYTHING: readonly ValueKind[] = [...SCALARS, 'object', 'list']

type Row = Omit<Predicate, 'name' | 'quantifier'> & { readonly quantifier?: 'any' | 'all' }

const compare = (
  comparison: Comparison,
  takes: 'one' | 'list',
  quantifier: 'any' | 'all',
  orNull = false,
): Row => ({
  meaning: orNull ? { kind: 'compare', comparison, orNull: true } : { kind: 'compare', comparison },
  takes,
  quantifier,
  kinds: comparison === 'eq' || comparison === 'not_eq' ? SCALARS : ORDERED,
})

/** A text predicate and its `_any` and `_all` forms. */
const like = (
  name: string,
  form: 'pattern' | 'start' | 'end' | 'contains',
  isNegated = false,
): Readonly<Record<string, Row>> => {
  const meaning = isNegated
    ? { kind: 'like' as const, form, isNegated: true as const }
    : { kind: 'like' as const, form }
  return {
    [name]: { meaning, takes: 'one', kinds: ['text'] },
    [`${name}_any`]: { meaning, takes: 'list', quantifier: 'any', kinds: ['text'] },
    [`${name}_all`]: { meaning, takes: 'list', quantifier: 'all', kinds: ['text'] },
  }
}

/** An order predicate and its `_any` and `_all` forms. */
const order = (comparison: 'lt' | 'lteq' | 'gt' | 'gteq'): Readonly<Record<string, Row>> => ({
  [comparison]: compare(comparison, 'one', 'any'),
  [`${comparison}_any`]: compare(comparison, 'list', 'any'),
  [`${comparison}_all`]: compare(comparison, 'list', 'all'),
})

const rows: Readonly<Record<string, Row>> = {
  eq: compare('eq', 'one', 'any'),
  eq_or_null: compare('eq', 'one', 'any', true),
  not_eq: compare('not_eq', 'one', 'any'),
  not_eq_or_null: compare('not_eq', 'one', 'any', true),
  not_eq_all: compare('not_eq', 'list', 'all'),
  in: compare('eq', 'list', 'any'),
  in_or_null: compare('eq', 'list', 'any', true),
  not_in: compare('not_eq', 'list', 'all'),
  not_in_or_null: compare('not_eq', 'list', 'all', true),
  ...order('lt'),
  ...order('lteq'),
  ...order('gt'),
  ...order('gteq'),
  ...like('matches', 'pattern'),
  ...like('does_not_match', 'pattern', true),
  ...like('start', 'start'),
  ...like('not_start', 'start', true),
  ...like('end', 'end'),
  ...like('not_end', 'end', true),
  ...like('cont', 'contains'),
  ...like('not_cont', 'contains', true),
  ...like('i_cont', 'contains'),
  ...like('not_i_cont', 'contains', true),
  present: { meaning: { kind: 'blank', isNegated: true }, takes: 'boolean', kinds: EVERYTHING },
  blank: { meaning: { kind: 'blank' }, takes: 'boolean', kinds: EVERYTHING },
  null: { meaning: { kind: 'null' }, takes: 'boolean', kinds: EVERYTHING },
  not_null: { meaning: { kind: 'null', isNegated: true }, takes: 'boolean', kinds: EVERYTHING },
  true: { meaning: { kind: 'boolean', expected: true }, takes: 'boolean', kinds: ['boolean'] },
  false: { meaning: { kind: 'boolean', expected: false }, takes: 'boolean', kinds: ['boolean'] },
  jcont: { meaning: { kind: 'containsJson' }, takes: 'json', kinds: ['object', 'list'] },
}

/** Every predicate; longer names first, so that `code_not_eq` is never read as attribute `code_not` with `eq`. */
export const predicates: readonly Predicate[] = Object.entries(rows)
  .map(([name, row]): Predicate => ({ quantifier: 'any', ...row, name }))
  .sort((a, b) => b.name.length - a.name.length || (a.name < b.name ? -1 : 1))

/** The predicates that make sense on a kind of value, in alphabetical order: what an error lists as allowed. */
export const predicatesFor = (kind: ValueKind): readonly string[] =>
  predicates
    .filter((predicate) => predicate.kinds.includes(kind))
    .map(({ name }) => name)
    .sort()

const VALUE_KINDS: Readonly<Partial<Record<AttributeKind, ValueKind>>> = {
  text: 'text',
  oneOf: 'text',
  integer: 'integer',
  cents: 'integer',
  float: 'float',
  boolean: 'boolean',
  instant: 'instant',
  object: 'object',
  list: 'list',
}

/** How values of an attribute are written in a query; undefined for attributes that are not stored. */
export const valueKindOf = (kind: AttributeKind): ValueKind | undefined => VALUE_KINDS[kind]
