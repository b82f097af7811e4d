/** Writes records of an export as CSV (RFC 4180): comma, CRLF, a header of attribute paths, quotes only where needed. */
import { escapeFormula } from '@merx/validation/formula-cells'
import type { Attribute, ValueType } from '../catalogue/attribute.ts'
import type { Row } from '../engine/engine.ts'
import { toIso } from './record.ts'

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

const toCell = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** An empty cell that is alone is quoted: readers skip an empty line, and the record with it. */
const toLine = (cells: readonly string[]): string => `${cells.map(toCell).join(',') || '""'}\r\n`

/** Amounts keep the engine's exact decimals; many values stand in one cell, separated by commas; no value is an empty cell. */
const toText = (attribute: Attribute, value: unknown): string => {
  if (Array.isArray(value)) return value.map((item) => toText(attribute, item)).join(',')
  if (attribute.type === 'datetime') return toIso(value) ?? ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value : ''
}

const TEXTS: ReadonlySet<ValueType> = new Set(['keyword', 'text', 'array<string>'])

export interface CsvOptions {
  /** Whether texts are written so that a spreadsheet does not run them as formulas. */
  readonly escapesFormulas: boolean
}

const toValue = (field: Attribute, value: unknown, { escapesFormulas }: CsvOptions): string => {
  const text = toText(field, value)
  return escapesFormulas && TEXTS.has(field.type) ? escapeFormula(text) : text
}

export const toHeader = (fields: readonly Attribute[]): string => toLine(fields.map(({ path }) => path))

const keyOf = (row: Row, parts: number): string =>
  JSON.stringify(Array.from({ length: parts }, (_, index) => row[`key${index}`]))

/** The rows in the order of `keys`; a key without a row is a deleted record. */
export const toLines = (
  fields: readonly Attribute[],
  keys: readonly (readonly string[])[],
  rows: readonly Row[],
  options: CsvOptions,
): string => {
  const found = new Map(rows.map((row) => [keyOf(row, keys[0]?.length ?? 0), row]))
  return keys
    .flatMap((key): readonly Row[] => {
      const row = found.get(JSON.stringify(key))
      return row === undefined ? [] : [row]
    })
    .map((row) => toLine(fields.map((field) => toValue(field, row[field.place.column], options))))
    .join('')
}
