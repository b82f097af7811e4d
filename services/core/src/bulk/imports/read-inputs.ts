/** Reads the `inputs` of an import as its items, one object each. Pure. */
import { findLostNumber, NUMBERS_ALLOWED } from '@merx/jsonapi/json-values'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { unescapeFormula } from '@merx/validation/formula-cells'
import { CsvError, parse } from 'csv-parse/sync'
import type { Item } from './import-item.ts'
import { INPUTS_MAX } from './importable.ts'

export type Inputs = { readonly items: readonly Item[] } | { readonly violation: WriteViolation }

/** In JSON a list of objects, in CSV one text whose first line names the columns. */
export const readInputs = (inputs: unknown, format: unknown): Inputs => {
  if (inputs === undefined || inputs === null || inputs === '') return refuse('blank', "can't be blank")
  const items = format === 'csv' ? fromCsv(inputs) : fromJson(inputs)
  if ('violation' in items) return items
  const { length } = items.items
  if (length === 0) return refuse('blank', "can't be blank")
  if (length <= INPUTS_MAX) return items
  return refuse(
    'less_than_or_equal_to',
    `must be less than or equal to ${INPUTS_MAX} items, ${length} were given`,
    INPUTS_MAX,
  )
}

const refuse = (error: string, message: string, count?: number): Inputs => ({
  violation: { at: { attribute: 'inputs' }, error, message, ...(count === undefined ? {} : { count }) },
})

const fromJson = (inputs: unknown): Inputs => {
  if (!Array.isArray(inputs))
    return refuse('invalid', 'must be a list of objects; for CSV set format to "csv"')
  const at = inputs.findIndex((item) => typeof item !== 'object' || item === null || Array.isArray(item))
  if (at >= 0) return refuse('invalid', `must be a list of objects; item ${at + 1} is none`)
  // the items are kept as JSON until their turn, which would make null of it
  for (const [index, item] of inputs.entries()) {
    const lost = findLostNumber(item)
    if (lost === undefined) continue
    return refuse(
      'invalid',
      `item ${index + 1} holds a number at ${lost} that would not be kept as sent: ${NUMBERS_ALLOWED}`,
    )
  }
  return { items: inputs as readonly Item[] }
}

const fromCsv = (inputs: unknown): Inputs => {
  if (typeof inputs !== 'string')
    return refuse('invalid', 'must be one text in CSV; for a list set format to "json"')
  try {
    const [header = [], ...lines] = parse(inputs, {
      bom: true,
      skip_empty_lines: true,
      // without a list the first break that occurs is the only one
      record_delimiter: ['\r\n', '\n', '\r'],
      to: INPUTS_MAX + 2,
    })
    return toItems(header, lines)
  } catch (error) {
    if (error instanceof CsvError)
      return refuse('invalid', `is not valid CSV: ${error.message.slice(0, 200)}`)
    throw error
  }
}

/** What stands in a column without a name is a member of that name, so that the error says where it is. */
const toItems = (header: readonly string[], lines: readonly (readonly string[])[]): Inputs => {
  const names = header.map((name, at) => name.trim() || `column ${at + 1}`)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) return refuse('invalid', `has the column "${twice.slice(0, 100)}" twice`)
  if (names.length > 0 && lines.length === 0)
    return refuse('blank', 'has a line of names, and no line of a record after it')
  // entries of their own, whatever a column is called
  return {
    items: lines.map((line) =>
      Object.fromEntries(names.map((name, at) => [name, unescapeFormula(line[at] ?? '')])),
    ),
  }
}
