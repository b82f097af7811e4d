/** What the address of the products says: a text that codes or names hold, and which columns there are. */

export interface ProductSearch {
  readonly text?: string
  /** Keys of the columns that are shown, when somebody chose them. */
  readonly columns?: readonly string[]
}

const TEXT_MAX = 200
const COLUMNS_MAX = 100

/** `prices:` and the id of a price list, or `stock_items:` and the id of a location. */
const COLUMN = /^(?:prices|stock_items):\w{1,20}$/

/** Takes what makes sense; an address that somebody typed is no reason for an error page. */
export const readProductSearch = (raw: Readonly<Record<string, unknown>>): ProductSearch => {
  const { text: rawText, columns } = raw
  const text = typeof rawText === 'string' || typeof rawText === 'number' ? String(rawText).trim() : ''
  const chosen = Array.isArray(columns)
    ? columns.filter((key): key is string => typeof key === 'string' && COLUMN.test(key))
    : undefined
  return {
    ...(text === '' ? {} : { text: text.slice(0, TEXT_MAX) }),
    ...(chosen === undefined ? {} : { columns: chosen.slice(0, COLUMNS_MAX) }),
  }
}
