/** Parses a cell of a CSV file as the value of an attribute. One that cannot be parsed stays a text and fails validation. */
import type { Attribute } from '@merx/jsonapi/attributes'
import { parseExactJson, toExactNumber } from '@merx/jsonapi/exact-json'

export const readCell = (cell: string, attribute: Attribute): unknown => {
  const kind = attribute.kind === 'trigger' ? attribute.carries : attribute.kind
  switch (kind) {
    case 'integer':
    case 'cents':
    case 'float':
      return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(cell.trim()) ? toExactNumber(cell) : cell
    case 'boolean':
      return toBoolean(cell.trim().toLowerCase())
    case 'object':
    case 'list':
      return readJson(cell)
    default:
      return cell
  }
}

const toBoolean = (word: string): unknown => {
  if (['true', 't', '1'].includes(word)) return true
  return ['false', 'f', '0'].includes(word) ? false : word
}

/** What is no JSON stays a text. */
export const readJson = (cell: string): unknown => {
  try {
    return parseExactJson(cell)
  } catch (error) {
    if (error instanceof SyntaxError) return cell
    throw error
  }
}
