/** Lists and records of any type, as core gives them. */
import { askCore } from '../data/api.ts'
import type { RecordSearch } from './record-search.ts'
import { columnsOf, pathOf, recordType, type CoreRecord } from './types.ts'

const PAGE_SIZE = 25

export interface RecordPage {
  readonly data: readonly CoreRecord[]
  readonly meta: { readonly record_count: number; readonly page_count: number }
}

/** A comma would separate values. */
const escaped = (text: string): string => text.replaceAll(',', String.raw`\,`)

/** The query of a list: its columns, its page, and what its names hold. */
export const listQuery = (name: string, { text, page = 1 }: RecordSearch): URLSearchParams => {
  const type = recordType(name)
  const query = new URLSearchParams({
    [`fields[${name}]`]: [...new Set([...columnsOf(type), ...type.naming])].join(','),
    'page[number]': String(page),
    'page[size]': String(PAGE_SIZE),
    sort: '-created_at',
  })
  if (text !== undefined && type.naming.length > 0)
    query.set(`filter[q][${type.naming.join('_or_')}_cont]`, escaped(text))
  return query
}

/** @throws Refused */
export const readList = (name: string, search: RecordSearch): Promise<RecordPage> =>
  askCore<RecordPage>(`${pathOf(name)}?${listQuery(name, search).toString()}`)

const addressOf = (name: string, id: string): string =>
  recordType(name).isSingleton === true ? pathOf(name) : `${pathOf(name)}/${encodeURIComponent(id)}`

/** @throws Refused */
export const readRecord = async (name: string, id: string): Promise<CoreRecord> =>
  (await askCore<{ readonly data: CoreRecord }>(addressOf(name, id))).data

/**
 * The records that a relationship leads to: none, one, or the first 25 of many.
 * @throws Refused
 */
export const readRelated = async (
  name: string,
  id: string,
  relationship: string,
): Promise<readonly CoreRecord[]> => {
  const page = recordType(name).relationships[relationship] === 'many' ? `?page%5Bsize%5D=${PAGE_SIZE}` : ''
  const { data } = await askCore<{ readonly data: CoreRecord | readonly CoreRecord[] | null }>(
    `${addressOf(name, id)}/${relationship}${page}`,
  )
  if (data === null) return []
  return Array.isArray(data) ? (data as readonly CoreRecord[]) : [data as CoreRecord]
}
