/**
 * Where the store keeps an attribute: attribute path → column and the entity it belongs to.
 *
 * An order is a record with five lists of elements (trees); an element of two of them has lists of its own (children).
 * A column of a tree is an array, a column of a child an array of arrays.
 */
const TREES = ['line_items', 'shipments', 'refunds', 'tags', 'resource_errors'] as const
export type Tree = (typeof TREES)[number]

/** Children by tree. `items` is a list of plain values, the others are lists of objects. */
const CHILDREN: Readonly<Partial<Record<Tree, readonly string[]>>> = {
  line_items: ['options'],
  shipments: ['tags', 'items'],
}

export interface Place {
  /** Column of the orders table, without quotes. */
  readonly column: string
  /** Undefined for an attribute that an order has once. */
  readonly tree?: Tree
  /** The list inside an element of `tree`, when the attribute is in it. */
  readonly child?: string
  /** Keys from the record down to the value in a search answer: `['customer', 'email']`. */
  readonly keys: readonly string[]
}

export const isTree = (name: string): name is Tree => (TREES as readonly string[]).includes(name)

/** `order.total_amount` → `total_amount`; `customer.email` → `customer_email`; `line_items.options.id` → `line_items.options_id`. */
export const placeOf = (path: string, record: string): Place => {
  const [entity = '', ...rest] = path.split('.')
  if (!isTree(entity)) {
    if (entity === record) return { column: rest.join('_'), keys: rest }
    return { column: `${entity}_${rest.join('_')}`, keys: [entity, ...rest] }
  }
  const column = `${entity}.${rest.join('_')}`
  const [first = ''] = rest
  const isChild = CHILDREN[entity]?.includes(first) === true
  return { column, tree: entity, keys: [entity, ...rest], ...(isChild ? { child: first } : {}) }
}
