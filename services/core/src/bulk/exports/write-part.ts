/** Exported records → the bytes of one part of the file, a gzip member of its own. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
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

/** `columns` are those of the whole file; what is nested is written as JSON. */
export const csvPart = (
  records: readonly Exported[],
  columns: readonly string[],
  { isFirst }: PartPlace,
): Promise<Buffer> => compress(stringify(records.map(toCells), { columns: [...columns], header: isFirst }))

const toCells = (record: Exported): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      value === null || value === undefined
        ? ''
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value as string | number | boolean),
    ]),
  )
