/** Writes exported records as one part of the file, a gzip member of its own. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { escapeFormula } from '@merx/validation/formula-cells'
import { stringify } from 'csv-stringify/sync'
import type { Exported } from './export-record.ts'

const compress = promisify(gzip)

export interface PartPlace {
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** One list over all parts. */
export const jsonPart = (records: readonly Exported[], { isFirst, isLast }: PartPlace): Promise<Buffer> => {
  const items = records.map((record) => JSON.stringify(record)).join(',\n')
  const open = isFirst ? '[' : records.length > 0 ? ',\n' : ''
  return compress(`${open}${items}${isLast ? ']' : ''}`)
}

export interface CsvOptions {
  /** Names of the columns of the whole file. */
  readonly columns: readonly string[]
  /** Whether texts are written so that a spreadsheet does not run them as formulas. */
  readonly escapesFormulas: boolean
}

/** Nested values are written as JSON. */
export const csvPart = (
  records: readonly Exported[],
  { columns, escapesFormulas }: CsvOptions,
  { isFirst }: PartPlace,
): Promise<Buffer> => {
  const rows = records.map((record) => toCells(record, escapesFormulas ? escapeFormula : String))
  return compress(stringify(rows, { columns: [...columns], header: isFirst }))
}

const toCells = (record: Exported, toText: (text: string) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      value === null || value === undefined
        ? ''
        : typeof value === 'object'
          ? JSON.stringify(value)
          : typeof value === 'string'
            ? toText(value)
            : String(value as number | boolean),
    ]),
  )
