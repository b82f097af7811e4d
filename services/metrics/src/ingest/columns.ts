/**
 * Columns as readers: what each column of a table says about a record. Names and values come from the same list, so a line of
 * values is in the order of the names. Instants, decimals, lists and the entities that several tables show.
 */
import type { OrderAddress, OrderNamed } from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'

/** Minor units of the record's currency → decimal text. */
export type Money = (cents: number) => string

/** Readers by the name of their column. */
export type Columns<T> = Readonly<Record<string, (record: T, money: Money) => unknown>>

/** `2022-06-27T06:01:32.361Z` → `2022-06-27 06:01:32.361`. */
export const toInstant = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, -1)}`

export const toInstantOrNull = (instant: string | null): string | null =>
  instant === null ? null : toInstant(instant)

/** 1234 with 2 digits → `12.34`; -5 with 3 digits → `-0.005`. */
export const toDecimal = (minorUnits: number, digits: number): string => {
  if (digits === 0) return String(minorUnits)
  const units = Math.abs(minorUnits)
  const unit = 10 ** digits
  const rest = units % unit // exact, and so is what is left without it
  const sign = minorUnits < 0 ? '-' : ''
  return `${sign}${(units - rest) / unit}.${String(rest).padStart(digits, '0')}`
}

export const moneyOf =
  (digits: number): Money =>
  (cents) =>
    toDecimal(cents, digits)

/** Readers of an item → the columns of a Nested structure: `{ a: f }` becomes `{ '<tree>.a': [f(item), …] }`. */
export const listColumns = <T, Item>(
  tree: string,
  itemsOf: (record: T) => readonly Item[],
  columns: Columns<Item>,
): Columns<T> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, read]) => [
      `${tree}.${name}`,
      (record: T, money: Money) => itemsOf(record).map((item) => read(item, money)),
    ]),
  )

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

/** Every value, in the order of the columns. */
export const createReader = <T>(columns: Columns<T>) => {
  const readers = Object.values(columns)
  return (record: T, money: Money): readonly unknown[] => readers.map((read) => read(record, money))
}

/** The same by name. */
export const toRow = (names: readonly string[], values: readonly unknown[]): Row =>
  Object.fromEntries(names.map((name, index) => [name, values[index]]))
