/**
 * Building blocks of the list of order fields (order-fields.ts). A field says how core reads it, what the document holds and how
 * metrics stores it; everything else is derived.
 */

export type Schema = Readonly<Record<string, unknown>>

/** How a value changes on its way: database → document → analytics column. */
export type Kind = 'text' | 'texts' | 'flag' | 'cents' | 'count' | 'version' | 'rate' | 'instant' | 'id'

/** Carries the TypeScript type of a field's value; never set. */
declare const value: unique symbol

/** One value. */
export interface Leaf<T> {
  readonly type: 'leaf'
  readonly kind: Kind
  /** SQL of core over the tables of the record's statement, such as `markets.name`. */
  readonly from: string
  /** The type whose ids it holds, or the SQL that gives the type's name. Only for ids. */
  readonly idOf?: string | { readonly from: string }
  readonly schema: Schema
  readonly isNullable: boolean
  /** Few distinct values: metrics stores them in a dictionary. */
  readonly isFew: boolean
  /** Metrics has a column for it. */
  readonly isStored: boolean
  readonly [value]?: T
}

/** A value that core computes by hand; metrics does not store it, unless by hand as well. */
export interface Derived<T> {
  readonly type: 'derived'
  readonly schema: Schema
  readonly [value]?: T
}

/** An object inside the record; with `IsOptional` it may be missing, and is null then. */
export interface Part<M extends Fields, IsOptional extends boolean> {
  readonly type: 'part'
  readonly fields: M
  /** SQL that is null when the part is missing. */
  readonly presentBy?: string
  /** Columns of metrics have the names of core's columns, instead of the part's name in front. */
  readonly isFlat: boolean
  readonly [value]?: IsOptional
}

/** A list of records, which a statement of its own reads. */
export interface List<M extends Fields> {
  readonly type: 'list'
  readonly fields: M
}

export type Field = Leaf<unknown> | Derived<unknown> | Part<Fields, boolean> | List<Fields>
export interface Fields {
  readonly [name: string]: Field
}

type ValueOf<F> =
  F extends List<infer M>
    ? readonly RecordOf<M>[]
    : F extends Part<infer M, infer IsOptional>
      ? RecordOf<M> | (IsOptional extends true ? null : never)
      : F extends Leaf<infer T> | Derived<infer T>
        ? T
        : never

/** What the document holds of a record with these fields. */
export type RecordOf<M> = { readonly [K in keyof M]: ValueOf<M[K]> }

const leaf = <T>(kind: Kind, schema: Schema, from = ''): Leaf<T> => ({
  type: 'leaf',
  kind,
  from,
  schema,
  isNullable: false,
  isFew: false,
  isStored: true,
})

const INSTANT = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`
/** Ten letters or more, as @merx/jsonapi/public-id writes them. */
const ID: Schema = { type: 'string', pattern: '^[a-zA-Z]{10,14}$' }
const INTEGER_MAX = Number.MAX_SAFE_INTEGER

// Without `from` a leaf is the column of its own name in the record's table.
export const text = (from?: string) => leaf<string>('text', { type: 'string' }, from)
export const matching = (pattern: string, from?: string) =>
  leaf<string>('text', { type: 'string', pattern }, from)
export const oneOf = <const T extends string | null>(...values: readonly T[]) => ({
  ...leaf<T>('text', { enum: values }),
  isNullable: values.some((one) => one === null),
})
export const texts = (from?: string) =>
  leaf<readonly string[]>('texts', { type: 'array', items: { type: 'string' } }, from)
export const flag = (from?: string) => leaf<boolean>('flag', { type: 'boolean' }, from)
/** What JavaScript holds exactly, in the minor unit of the order's currency. */
export const cents = (from?: string, maximum = INTEGER_MAX) =>
  leaf<number>('cents', { type: 'integer', minimum: -INTEGER_MAX, maximum }, from)
export const count = (from?: string) =>
  leaf<number>('count', { type: 'integer', minimum: 0, maximum: INTEGER_MAX }, from)
export const version = () => leaf<number>('version', { type: 'integer', minimum: 1, maximum: INTEGER_MAX })
/** A fraction as a decimal string, e.g. "0.22". */
export const rate = (from?: string) =>
  leaf<string>('rate', { type: 'string', pattern: String.raw`^(0(\.\d{1,8})?|1)$` }, from)
/** ISO 8601 UTC with milliseconds. */
export const instant = (from?: string) => leaf<string>('instant', { type: 'string', pattern: INSTANT }, from)
export const id = (idOf: string | { readonly from: string }, from?: string): Leaf<string> => ({
  ...leaf<string>('id', ID, from),
  idOf,
})

export const orNull = <T>(field: Leaf<T>): Leaf<T | null> => ({
  ...field,
  schema: { ...field.schema, type: [field.schema['type'], 'null'] },
  isNullable: true,
})
export const few = <T>(field: Leaf<T>): Leaf<T> => ({ ...field, isFew: true })
export const notStored = <T>(field: Leaf<T>): Leaf<T> => ({ ...field, isStored: false })
export const derived = <T>(schema: Schema): Derived<T> => ({ type: 'derived', schema })

const withTable = (table: string, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.type === 'leaf' && field.from === '' ? { ...field, from: `${table}.${name}` } : field,
    ]),
  )

/** Fields of a record; those without `from` are columns of the table. */
export const fieldsOf = <M extends Fields>(table: string, fields: M): M => withTable(table, fields) as M

/** `table` is the table or the alias that the fields without `from` are columns of. */
export const part = <M extends Fields>(table: string, fields: M): Part<M, false> => ({
  type: 'part',
  fields: fieldsOf(table, fields),
  isFlat: false,
})
export const flatPart = <M extends Fields>(table: string, fields: M): Part<M, false> => ({
  ...part(table, fields),
  isFlat: true,
})
/** Null when the joined table has no row. */
export const partOrNull = <M extends Fields>(table: string, fields: M): Part<M, true> => ({
  type: 'part',
  fields: fieldsOf(table, fields),
  presentBy: `${table}.id`,
  isFlat: false,
})
export const list = <M extends Fields>(fields: M): List<M> => ({ type: 'list', fields })

const schemaOf = (field: Field): Schema => {
  if (field.type === 'list') return { type: 'array', items: objectSchema(field.fields) }
  if (field.type !== 'part') return field.schema
  const schema = objectSchema(field.fields)
  return field.presentBy === undefined ? schema : { ...schema, type: ['object', 'null'] }
}

/** The JSON Schema of a record: exactly its members, all of them present; absent values are null. */
export const objectSchema = (fields: Fields): Schema => ({
  type: 'object',
  required: Object.keys(fields),
  additionalProperties: false,
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
})
