/** Readers of columns: a record → the values of its row, in the order of the column names. Pure. */
import type { OrderAddress, OrderNamed } from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'
import type { Form } from './forms.ts'

/** Readers by the name of their column. */
export type Columns<T> = Readonly<Record<string, (record: T, form: Form) => unknown>>

/** Columns that are read together. */
export interface ColumnGroup<T> {
  readonly names: readonly string[]
  /** The values of one record, in the order of the names. */
  valuesOf(record: T, form: Form): readonly unknown[]
}

export const ownColumns = <T>(columns: Columns<T>): ColumnGroup<T> => {
  const readers = Object.values(columns)
  return {
    names: Object.keys(columns),
    valuesOf: (record, form) => readers.map((read) => read(record, form)),
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
    valuesOf: (record, form) => readers.map((read) => itemsOf(record).map((item) => read(item, form))),
  }
}

/** One group of several, in their order. */
export const joinedColumns = <T>(groups: readonly ColumnGroup<T>[]): ColumnGroup<T> => ({
  names: groups.flatMap(({ names }) => names),
  valuesOf: (record, form) => groups.flatMap((group) => group.valuesOf(record, form)),
})

/** Readers of a part of the record, which may be missing. */
const partColumns = <T, Part>(
  prefix: string,
  partOf: (record: T) => Part | null | undefined,
  members: readonly (keyof Part & string)[],
): Columns<T> =>
  Object.fromEntries(
    members.map((member) => [`${prefix}_${member}`, (record: T) => partOf(record)?.[member] ?? null]),
  )

export const addressColumns = <T>(prefix: string, of: (record: T) => OrderAddress | null): Columns<T> =>
  partColumns(prefix, of, [
    'business',
    'city',
    'country_code',
    'state_code',
    'zip_code',
    'geocoded',
    'localized',
  ])

/** A record's own reference to something named. */
export const namedColumns = <T>(prefix: string, of: (record: T) => OrderNamed | null): Columns<T> =>
  partColumns(prefix, of, ['id', 'name', 'reference', 'reference_origin'])

/** Values by the name of their column. */
export const toRow = (names: readonly string[], values: readonly unknown[]): Row =>
  Object.fromEntries(names.map((name, index) => [name, values[index]]))
