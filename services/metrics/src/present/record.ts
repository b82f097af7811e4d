/** Builds a record of a search's answer from a row: nested by entity, without what has no value. */
import type { Attribute } from '../catalogue/attribute.ts'
import type { Row } from '../engine/engine.ts'

type MutableRecord = Record<string, unknown>

/** Attributes that search gives as text although they hold integers (metrics.md 7). */
const TEXT_INTEGERS: ReadonlySet<string> = new Set(['market.number'])

/** `2022-06-27 06:01:32.361` → `2022-06-27T06:01:32.361Z`. */
export const toIso = (value: unknown): string | undefined =>
  typeof value === 'string' ? `${value.replace(' ', 'T')}Z` : undefined

const toJson = (attribute: Attribute, value: unknown): unknown => {
  if (value === null || value === undefined || (attribute.isEmptyNone && value === '')) return undefined
  switch (attribute.type) {
    case 'float':
      return Number(value)
    case 'integer':
      return TEXT_INTEGERS.has(attribute.path) ? String(Number(value)) : Number(value)
    case 'datetime':
      return toIso(value)
    case 'array<string>':
      return Array.isArray(value) && value.length > 0 ? value : undefined
    case 'boolean':
    case 'keyword':
    case 'text':
      return value
  }
}

const put = (target: MutableRecord, keys: readonly string[], value: unknown): void => {
  if (value === undefined) return
  const [key, ...rest] = keys
  if (key === undefined) return
  if (rest.length === 0) {
    target[key] = value
    return
  }
  const inner = (target[key] ?? {}) as MutableRecord
  target[key] = inner
  put(inner, rest, value)
}

const hasContent = (record: MutableRecord): boolean => Object.keys(record).length > 0

interface Cell {
  readonly keys: readonly string[]
  readonly attribute: Attribute
  readonly value: unknown
}

const listAt = (value: unknown, index: number): unknown =>
  Array.isArray(value) ? (value as unknown[])[index] : undefined

const lengthOf = (cells: readonly Cell[]): number =>
  Math.max(0, ...cells.map(({ value }) => (Array.isArray(value) ? value.length : 0)))

/** Columns of one list, side by side → its objects. */
const toElements = (cells: readonly Cell[]): readonly MutableRecord[] =>
  Array.from({ length: lengthOf(cells) }, (_, index) =>
    toElement(cells.map((cell) => ({ ...cell, value: listAt(cell.value, index) }))),
  ).filter(hasContent)

const isInChildList = ({ attribute, keys }: Cell): boolean =>
  attribute.place.child !== undefined &&
  attribute.type !== 'array<string>' &&
  keys[0] === attribute.place.child

const toElement = (cells: readonly Cell[]): MutableRecord => {
  const element: MutableRecord = {}
  const lists = new Map<string, Cell[]>()
  for (const cell of cells) {
    const [first = '', ...rest] = cell.keys
    if (!isInChildList(cell)) put(element, cell.keys, toJson(cell.attribute, cell.value))
    else lists.set(first, [...(lists.get(first) ?? []), { ...cell, keys: rest }])
  }
  for (const [name, inner] of lists) {
    const elements = toElements(inner)
    if (elements.length > 0) element[name] = elements
  }
  return element
}

/** The record with `fields`, in their order; `id` is always there. */
export const toRecord = (fields: readonly Attribute[], id: string, row: Row): MutableRecord => {
  const record: MutableRecord = { id }
  const trees = new Map<string, Cell[]>()
  for (const attribute of fields) {
    const { tree, column, keys } = attribute.place
    const value = row[column]
    if (tree === undefined) put(record, keys, toJson(attribute, value))
    else trees.set(tree, [...(trees.get(tree) ?? []), { keys: keys.slice(1), attribute, value }])
  }
  for (const [tree, cells] of trees) {
    const elements = toElements(cells)
    if (elements.length > 0) record[tree] = elements
  }
  return record
}
