/** A file that somebody chose → its lines, by the same parser as core's. */
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { t } from '../language/text.ts'
import { INPUTS_MAX } from './bulk-types.ts'

/** The column in which the page writes what is wrong with a row; it is no part of the record. */
export const PROBLEM_COLUMN = 'problem'

export interface CsvFile {
  readonly names: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Core takes 10 MiB, in which the file is quoted once more. */
const BYTES_MAX = 8_000_000

const SEPARATORS = [',', ';', '\t']

/** Spreadsheets of some countries write semicolons. */
const separatorOf = (text: string): string => {
  const [head = ''] = text.split(/[\r\n]/, 1)
  const counts = SEPARATORS.map((separator) => head.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Exports put an apostrophe before what a spreadsheet would run; it is no part of the value. */
const withoutApostrophe = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r\n])/, '')

/** So that a file of rows to correct can be imported as it is. */
const withoutProblems = ({ names, rows }: CsvFile): CsvFile => {
  const at = names.indexOf(PROBLEM_COLUMN)
  return at < 0
    ? { names, rows }
    : { names: names.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) }
}

export type ReadCsv = CsvFile | { readonly problem: string }

export const readCsv = (text: string): ReadCsv => {
  try {
    const lines = parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      to: INPUTS_MAX + 2,
    })
    const [head = [], ...rows] = lines
    const names = head.map((name, at) => name.trim() || t('column {number}', { number: at + 1 }))
    const twice = names.find((name, at) => names.indexOf(name) < at)
    if (twice !== undefined) return { problem: t('The column {name} is there twice.', { name: twice }) }
    if (rows.length === 0)
      return { problem: t('The file needs a line of names, and a line for each record after it.') }
    if (rows.length > INPUTS_MAX)
      return { problem: t('An import has at most {count} records: cut the file.', { count: INPUTS_MAX }) }
    return withoutProblems({ names, rows: rows.map((row) => row.map(withoutApostrophe)) })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { problem: t('This is not CSV: {reason}', { reason: error.message }) }
  }
}

/** Undefined when the bytes are none: the decoder has no other error. */
const decode = (bytes: ArrayBuffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export const readCsvFile = async (file: Blob): Promise<ReadCsv> => {
  if (file.size > BYTES_MAX)
    return { problem: t('A file has at most {count} MB: cut it.', { count: BYTES_MAX / 1_000_000 }) }
  const text = decode(await file.arrayBuffer())
  return text === undefined
    ? { problem: t('The file is not in UTF-8. Save it as CSV in UTF-8.') }
    : readCsv(text)
}
