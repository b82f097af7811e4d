/**
 * Where the store keeps an attribute: attribute path → column and the entity it belongs to.
 *
 * A record has lists of elements (trees, e.g. line items); an element of some has lists of its own (children).
 * A column of a tree is an array, a column of a child an array of arrays.
 */

/** Trees of a record by name, each with the names of its children. */
export type Lists = Readonly<Record<string, readonly string[]>>

export interface Place {
  /** Column of the resource's table, without quotes. */
  readonly column: string
  /** Undefined for an attribute that a record has once. */
  readonly tree?: string
  /** The list inside an element of `tree`, when the attribute is in it. */
  readonly child?: string
  /** Columns with the least and the greatest value of the list; an empty one's pass no condition with a number that could be stored. Undefined when none are kept. */
  readonly bounds?: { readonly least: string; readonly greatest: string }
  /** Keys from the record down to the value in a search answer: `['customer', 'email']`. */
  readonly keys: readonly string[]
}

/** Columns of elements whose bounds the table keeps (docs/adr/0049-minimum-and-maximum-of-lists.md). */
export const BOUNDED: ReadonlySet<string> = new Set([
  'line_items.discount',
  'line_items.quantity',
  'line_items.total_amount',
  'line_items.unit_amount',
])

const boundsOf = (column: string): Pick<Place, 'bounds'> => {
  const name = column.replace('.', '_')
  return BOUNDED.has(column) ? { bounds: { least: `${name}_least`, greatest: `${name}_greatest` } } : {}
}

/** `order.total_amount` → `total_amount`; `customer.email` → `customer_email`; `line_items.options.id` → `line_items.options_id`. */
export const placeOf = (path: string, record: string, lists: Lists): Place => {
  const [entity = '', ...rest] = path.split('.')
  const children = lists[entity]
  if (children === undefined) {
    if (entity === record) return { column: rest.join('_'), keys: rest }
    return { column: `${entity}_${rest.join('_')}`, keys: [entity, ...rest] }
  }
  const column = `${entity}.${rest.join('_')}`
  const [first = ''] = rest
  const isChild = children.includes(first)
  return {
    column,
    tree: entity,
    keys: [entity, ...rest],
    ...(isChild ? { child: first } : {}),
    ...boundsOf(column),
  }
}
