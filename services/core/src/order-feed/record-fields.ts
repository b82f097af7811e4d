/**
 * The list of order fields → SELECT lists, and rows → records of the document. A value is selected under its path in the record,
 * such as `customer.email`; numbers become public ids and dates become ISO 8601 here. Pure.
 */
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { Derived, Fields, Leaf, List, RecordOf } from '@merx/order-feed/field'
import { idTypeOfItem } from '../promotions/promotion-types.ts'

export type Row = Readonly<Record<string, unknown>>

const typePath = (path: string): string => `${path}#type`

const selectLeaf = ({ from, idOf }: Leaf<unknown>, path: string): readonly string[] => [
  `${from} AS "${path}"`,
  ...(typeof idOf === 'object' ? [`${idOf.from} AS "${typePath(path)}"`] : []),
]

const select = (fields: Fields, prefix = ''): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    if (field.type === 'leaf') return selectLeaf(field, path)
    if (field.type !== 'part') return []
    const presence = field.presentBy === undefined ? [] : [`${field.presentBy} AS "${path}"`]
    return [...presence, ...select(field.fields, `${path}.`)]
  })

/** What a statement selects for records with these fields. */
export const selectList = (fields: Fields): string => select(fields).join(',\n    ')

/** PostgreSQL has instants that JavaScript lacks, such as infinity: the reader quarantines that order, and the page goes on. */
const toInstant = (at: unknown): string | null => {
  if (at instanceof Date && Number.isFinite(at.getTime())) return at.toISOString()
  return at instanceof Date || typeof at === 'number' ? String(at) : null
}

type Read = (row: Row, ids: PublicIds) => unknown

const readId = ({ idOf = '' }: Leaf<unknown>, path: string): Read => {
  const typeOf = (row: Row): unknown => (typeof idOf === 'string' ? idOf : row[typePath(path)])
  return (row, ids) => {
    const [type, number] = [typeOf(row), row[path]]
    if (typeof number !== 'number') return number // missing, or public already as those of organizations are
    return typeof type === 'string' ? ids.encode(idTypeOfItem(type), number) : null
  }
}

const readLeaf = (leaf: Leaf<unknown>, path: string): Read => {
  if (leaf.kind === 'instant') return (row) => toInstant(row[path])
  if (leaf.kind === 'id') return readId(leaf, path)
  return (row) => row[path]
}

type Readers = readonly (readonly [name: string, read: Read | undefined])[]

const readersOf = (fields: Fields, prefix = ''): Readers =>
  Object.entries(fields).map(([name, field]) => {
    const path = `${prefix}${name}`
    if (field.type === 'leaf') return [name, readLeaf(field, path)]
    if (field.type !== 'part') return [name, undefined]
    const members = readersOf(field.fields, `${path}.`)
    const isMissing = (row: Row): boolean => field.presentBy !== undefined && row[path] === null
    return [name, (row, ids) => (isMissing(row) ? null : readAll(members, row, ids, {}))]
  })

const readAll = (readers: Readers, row: Row, ids: PublicIds, given: Row): Row => {
  const record: Record<string, unknown> = {}
  for (const [name, read] of readers) record[name] = read === undefined ? given[name] : read(row, ids)
  return record
}

/** What a row does not hold: lists, which have statements of their own, and values that are computed. */
type GivenOf<M> = {
  readonly [
    K in keyof M as M[K] extends List<Fields> | Derived<unknown> ? K : never
  ]: K extends keyof RecordOf<M> ? RecordOf<M>[K] : never
}

/** Rows that were selected with `selectList` of the same fields → records. */
export const createPresenter = <M extends Fields>(fields: M) => {
  const readers = readersOf(fields)
  return (row: Row, ids: PublicIds, given: GivenOf<M>): RecordOf<M> =>
    readAll(readers, row, ids, given) as RecordOf<M>
}
