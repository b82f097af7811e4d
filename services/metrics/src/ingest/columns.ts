/** Columns of the analytics tables: a record → the values of its row, in the order of the column names. Pure. */
import type { Fields, Leaf } from '@merx/order-feed/field'
import type { Row } from '../engine/engine.ts'
import { toDecimal, toInstant } from './forms.ts'

/** Readers by the name of their column. `digits` are those of the currency's minor unit. */
export type Columns<T> = Readonly<Record<string, (record: T, digits: number) => unknown>>

/** Columns that are read together. */
export interface ColumnGroup<T> {
  readonly names: readonly string[]
  /** The values of one record, in the order of the names. */
  valuesOf(record: T, digits: number): readonly unknown[]
}

export const ownColumns = <T>(columns: Columns<T>): ColumnGroup<T> => {
  const readers = Object.values(columns)
  return {
    names: Object.keys(columns),
    valuesOf: (record, digits) => readers.map((read) => read(record, digits)),
  }
}

/** Readers of an item → the columns of a Nested structure: `{ a: f }` becomes `<tree>.a` with a list of values. */
export const listColumns = <T, Item>(
  tree: string,
  itemsOf: (record: T) => readonly Item[],
  columns: Columns<Item>,
): ColumnGroup<T> => {
  const readers = Object.values(columns)
  return {
    names: Object.keys(columns).map((name) => `${tree}.${name}`),
    valuesOf: (record, digits) => readers.map((read) => itemsOf(record).map((item) => read(item, digits))),
  }
}

/** One group of several, in their order. */
export const joinedColumns = <T>(groups: readonly ColumnGroup<T>[]): ColumnGroup<T> => ({
  names: groups.flatMap(({ names }) => names),
  valuesOf: (record, digits) => groups.flatMap((group) => group.valuesOf(record, digits)),
})

type Members = Readonly<Record<string, unknown>>

const withoutCents = (name: string): string => name.replace(/_cents$/, '')

/** `orders.total_amount_cents` → `total_amount`. */
const coreColumn = ({ from }: Leaf<unknown>): string => withoutCents(from.slice(from.indexOf('.') + 1))

const toValue = ({ kind }: Leaf<unknown>, value: unknown, digits: number): unknown => {
  if (kind === 'cents' && typeof value === 'number') return toDecimal(value, digits)
  if (kind === 'instant' && typeof value === 'string') return toInstant(value)
  return value ?? null
}

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

const memberOf = (value: unknown, name: string): unknown => (isMembers(value) ? value[name] : undefined)

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A column of a record, by the way its name is made: where the value is, and what the column's type follows from. */
export interface FieldColumn {
  readonly name: string
  readonly leaf: Leaf<unknown>
  /** The part that it is in may be missing. */
  readonly isOptional: boolean
  /** It is a list of values, one for each item of a list inside the record. */
  readonly isList: boolean
  readonly read: (record: unknown, digits: number) => unknown
}

/** The columns of the fields of a record, with those of its parts, and of its lists as lists; names as in src/catalogue/place.ts. */
export const fieldColumns = (fields: Fields): readonly FieldColumn[] =>
  Object.entries(fields).flatMap(([name, field]): readonly FieldColumn[] => {
    if (field.type === 'derived') return []
    if (field.type === 'leaf') {
      if (!field.isStored) return []
      const read = (record: unknown, digits: number) => toValue(field, memberOf(record, name), digits)
      return [{ name: withoutCents(name), leaf: field, isOptional: false, isList: false, read }]
    }
    return fieldColumns(field.fields).map((inner) => ({
      ...inner,
      name: field.type === 'part' && field.isFlat ? coreColumn(inner.leaf) : `${name}_${inner.name}`,
      isOptional: inner.isOptional || (field.type === 'part' && field.presentBy !== undefined),
      isList: inner.isList || field.type === 'list',
      read: (record: unknown, digits: number) =>
        field.type === 'list'
          ? itemsOf(memberOf(record, name)).map((item) => inner.read(item, digits))
          : inner.read(memberOf(record, name), digits),
    }))
  })

/** Those fields of a record that it has once: its lists have columns of their own. */
export const ownFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { type }]) => type !== 'list'))

export const readersOf = (columns: readonly FieldColumn[]): Columns<unknown> =>
  Object.fromEntries(columns.map(({ name, read }) => [name, read]))

/** Values by the name of their column. */
export const toRow = (names: readonly string[], values: readonly unknown[]): Row =>
  Object.fromEntries(names.map((name, index) => [name, values[index]]))
