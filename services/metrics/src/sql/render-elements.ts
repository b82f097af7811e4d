/**
 * Predicates, keys and measures on lists of elements (line items, shipments…) → expressions over their array columns.
 *
 * An element is selected when it satisfies every predicate on its tree at once. A record matches when it has a selected
 * element. Keys and measures see selected elements only; an order counts once in a bucket however many of its elements
 * fall into it.
 */
import type { Attribute } from '../catalogue/attribute.ts'
import type { Predicate } from '../request/query.ts'
import { isStorable, renderPredicate } from './render-predicate.ts'
import { quoteName, type Params } from './statement.ts'

/** `toKey` gives the SQL of the label for the SQL of the value. */
export interface ElementKey {
  readonly attribute: Attribute
  readonly toKey: (ref: string) => string
}

const inTree = (tree: string, predicates: readonly Predicate[]): readonly Predicate[] =>
  predicates.filter(({ attribute }) => attribute.place.tree === tree)

/** A lambda over columns: each gets an argument of its own, in order of first use. */
const createArguments = (prefix: string, columnOf: (attribute: Attribute) => string) => {
  const names = new Map<string, string>()
  return {
    ref: (attribute: Attribute): string => {
      const column = columnOf(attribute)
      const known = names.get(column)
      if (known !== undefined) return known
      const name = `${prefix}${names.size}`
      names.set(column, name)
      return name
    },
    get names(): readonly string[] {
      return [...names.values()]
    },
    get list(): readonly string[] {
      return [...names.keys()]
    },
    get arguments(): string {
      return [...names.values()].join(', ')
    },
    get columns(): string {
      return [...names.keys()].join(', ')
    },
  }
}

type Arguments = ReturnType<typeof createArguments>

const columnOf = ({ place }: Attribute): string => quoteName(place.column)

const all = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '1' : conditions.join(' AND ')

/** A list of plain values (`shipments.items`) is compared as a whole, so its predicates belong to the element. */
const isOfElement = ({ attribute }: Predicate): boolean =>
  attribute.place.child === undefined || attribute.type === 'array<string>'

const childrenOf = (attributes: readonly Attribute[]): readonly string[] => [
  ...new Set(attributes.flatMap(({ place }) => place.child ?? [])),
]

/** Whether one element is selected; `elements` gives the SQL of its values. */
const renderSelected = (
  predicates: readonly Predicate[],
  elements: Arguments,
  params: Params,
): readonly string[] => {
  const own = predicates
    .filter(isOfElement)
    .map((predicate) => renderPredicate(predicate, elements.ref(predicate.attribute), params))
  const nested = predicates.filter((predicate) => !isOfElement(predicate))
  const children = childrenOf(nested.map(({ attribute }) => attribute)).map((child) => {
    const inner = createArguments('d', (attribute) => elements.ref(attribute))
    const conditions = nested
      .filter(({ attribute }) => attribute.place.child === child)
      .map((predicate) => renderPredicate(predicate, inner.ref(predicate.attribute), params))
    return `arrayExists((${inner.arguments}) -> ${all(conditions)}, ${inner.columns})`
  })
  return [...own, ...children]
}

/**
 * An element is below when the least one is: said of the record, the list itself is not read. Not for numbers that are larger
 * than any that is stored, and so than the bounds of an empty list.
 */
const renderBound = (predicate: Predicate, params: Params): string | undefined => {
  const { attribute, op } = predicate
  const { bounds } = attribute.place
  const isAbove = op === 'gt' || op === 'gte'
  if (bounds === undefined || (!isAbove && op !== 'lt' && op !== 'lte')) return undefined
  if (!predicate.operands.every((operand) => isStorable(attribute, operand))) return undefined
  return renderPredicate(predicate, quoteName(isAbove ? bounds.greatest : bounds.least), params)
}

/** The record has an element that satisfies all predicates on `tree`. */
export const renderTreeCondition = (
  tree: string,
  predicates: readonly Predicate[],
  params: Params,
): string => {
  const [first, ...more] = inTree(tree, predicates)
  const bound = first === undefined || more.length > 0 ? undefined : renderBound(first, params)
  if (bound !== undefined) return bound
  const elements = createArguments('e', columnOf)
  const conditions = renderSelected(inTree(tree, predicates), elements, params)
  return `arrayExists((${elements.arguments}) -> ${all(conditions)}, ${elements.columns})`
}

export interface Expansion {
  readonly tree: string
  readonly keys: readonly ElementKey[]
  /** The measured attribute, when it belongs to this tree. */
  readonly measure?: Attribute
  readonly predicates: readonly Predicate[]
}

const notNull = (keys: readonly ElementKey[], names: Arguments): readonly string[] =>
  keys.map(({ attribute }) =>
    attribute.isEmptyNone ? `${names.ref(attribute)} != ''` : `isNotNull(${names.ref(attribute)})`,
  )

const tuple = (items: readonly string[]): string => `tuple(${items.join(', ')})`

/** Keys and measure that one list (the element itself, or a child) contributes, in the order keys then measure. */
interface Part {
  readonly keys: readonly ElementKey[]
  readonly measure: Attribute | undefined
}

const partOf = (expansion: Expansion, child: string | undefined): Part => ({
  keys: expansion.keys.filter(({ attribute }) => attribute.place.child === child),
  measure: expansion.measure?.place.child === child ? expansion.measure : undefined,
})

const valuesOf = ({ keys, measure }: Part, names: Arguments): readonly string[] => [
  ...keys.map(({ attribute, toKey }) => toKey(names.ref(attribute))),
  ...(measure === undefined ? [] : [`toNullable(${names.ref(measure)})`]),
]

/** Tuples of one child of the element: distinct keys, or one for each measured value. */
const renderChild = (expansion: Expansion, child: string, elements: Arguments, params: Params): string => {
  const part = partOf(expansion, child)
  const inner = createArguments('d', (attribute) => elements.ref(attribute))
  const values = tuple(valuesOf(part, inner))
  const conditions = [
    ...inTree(expansion.tree, expansion.predicates)
      .filter((predicate) => predicate.attribute.place.child === child && !isOfElement(predicate))
      .map((predicate) => renderPredicate(predicate, inner.ref(predicate.attribute), params)),
    ...notNull(part.keys, inner),
  ]
  const tuples = `arrayMap((${inner.arguments}) -> ${values}, ${inner.columns})`
  const kept = `arrayFilter((t, ${inner.arguments}) -> ${all(conditions)}, ${tuples}, ${inner.columns})`
  if (part.measure === undefined) return `arrayDistinct(${kept})`
  return part.keys.length === 0 ? `emptyArrayToSingle(${kept})` : kept
}

/** The product of the element's own values and the tuples of its children, as tuples in the order of `positions`. */
const renderElement = (
  expansion: Expansion,
  children: readonly string[],
  elements: Arguments,
  params: Params,
): string => {
  const own = valuesOf(partOf(expansion, undefined), elements)
  const variables = children.map((_, index) => `x${index}`)
  const items = children.flatMap((child, index) => {
    const part = partOf(expansion, child)
    const count = part.keys.length + (part.measure === undefined ? 0 : 1)
    return Array.from({ length: count }, (_, at) => `${variables[index] ?? ''}.${at + 1}`)
  })
  const lists = children.map((child) => renderChild(expansion, child, elements, params))
  return lists.reduceRight(
    (body, list, index) => `arrayFlatten(arrayMap(${variables[index] ?? ''} -> ${body}, ${list}))`,
    `[${tuple([...own, ...items])}]`,
  )
}

const listParts = (expansion: Expansion, children: readonly string[]): readonly Part[] =>
  [undefined, ...children].map((child) => partOf(expansion, child))

/** Where each key, and the measure, stands in the tuples of an expansion; from 1. */
export const positionsOf = (expansion: Expansion) => {
  const parts = listParts(expansion, expansionChildren(expansion))
  const keys = new Map<ElementKey, number>()
  let measure: number | undefined
  let at = 0
  for (const part of parts) {
    for (const key of part.keys) keys.set(key, (at += 1))
    if (part.measure !== undefined) measure = at += 1
  }
  return { keys, measure }
}

const expansionChildren = ({ keys, measure }: Expansion): readonly string[] =>
  childrenOf([...keys.map(({ attribute }) => attribute), ...(measure === undefined ? [] : [measure])])

/** A key and the measure are in the elements themselves, and so is whatever selects them: no list inside is looked at. */
export const isFlat = (expansion: Expansion): boolean =>
  expansion.keys.length > 0 &&
  expansion.measure !== undefined &&
  expansionChildren(expansion).length === 0 &&
  inTree(expansion.tree, expansion.predicates).every(isOfElement)

/**
 * The elements of a flat expansion as rows: `columns` are to be unfolded under `names`, `conditions` select elements that
 * have every key; `keys` in the order of the expansion.
 */
export const renderElementRows = (expansion: Expansion, params: Params) => {
  const { tree, keys, measure, predicates } = expansion
  if (measure === undefined) throw new Error('only a measured list is unfolded into rows')
  const elements = createArguments('e', columnOf)
  const labels = keys.map(({ attribute, toKey }) => toKey(elements.ref(attribute)))
  const value = elements.ref(measure)
  const selected = renderSelected(inTree(tree, predicates), elements, params)
  const conditions = [...selected, ...notNull(keys, elements)]
  return { keys: labels, measure: value, conditions, names: elements.names, columns: elements.list }
}

/**
 * An array of tuples for one record: the distinct keys of its selected elements, or, when the measure is in this tree,
 * one tuple for each measured value and its keys. Without keys a record that has nothing to measure keeps one NULL, so
 * that it still counts in its buckets.
 */
export const renderExpansion = (expansion: Expansion, params: Params): string => {
  const tuples = renderTuples(expansion, params)
  if (expansion.measure === undefined) return `arrayDistinct(${tuples})`
  return expansion.keys.length === 0 ? `emptyArrayToSingle(${tuples})` : tuples
}

const renderTuples = (expansion: Expansion, params: Params): string => {
  const children = expansionChildren(expansion)
  const elements = createArguments('e', columnOf)
  const own = partOf(expansion, undefined)
  const list =
    children.length === 0
      ? tuple(valuesOf(own, elements))
      : renderElement(expansion, children, elements, params)
  const selected = renderSelected(inTree(expansion.tree, expansion.predicates), elements, params)
  const conditions = [...selected, ...notNull(own.keys, elements)]
  const { arguments: names, columns } = elements
  if (children.length === 0) {
    const mapped = `arrayMap((${names}) -> ${list}, ${columns})`
    if (conditions.length === 0) return mapped
    return `arrayFilter((t, ${names}) -> ${all(conditions)}, ${mapped}, ${columns})`
  }
  const kept = conditions.length === 0 ? list : `arrayFilter(z -> ${all(conditions)}, ${list})`
  return `arrayFlatten(arrayMap((${names}) -> ${kept}, ${columns}))`
}
