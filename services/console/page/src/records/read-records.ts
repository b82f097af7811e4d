/** Lists and records of any type, as core gives them. */
import { askCore } from '../data/api.ts'
import { escaped, nameFilter } from './find-records.ts'
import type { RecordSearch } from './record-search.ts'
import { columnsOf, pathOf, recordType, type CoreRecord } from './types.ts'

const PAGE_SIZE = 25

export interface RecordPage {
  readonly data: readonly CoreRecord[]
  readonly meta: { readonly record_count: number; readonly page_count: number }
}

/** The query of a list: its columns, its page, and what its names hold. */
export const listQuery = (name: string, { text, filters = {}, page = 1 }: RecordSearch): URLSearchParams => {
  const type = recordType(name)
  const query = new URLSearchParams({
    [`fields[${name}]`]: [...new Set([...columnsOf(type), ...type.naming])].join(','),
    'page[number]': String(page),
    'page[size]': String(PAGE_SIZE),
    sort: '-created_at',
  })
  for (const [filter, value] of Object.entries(filters)) query.set(`filter[q][${filter}]`, value)
  if (text !== undefined && type.naming.length > 0) query.set(nameFilter(name), escaped(text))
  return query
}

/** @throws Refused */
export const readList = (name: string, search: RecordSearch): Promise<RecordPage> =>
  askCore<RecordPage>(`${pathOf(name)}?${listQuery(name, search).toString()}`)

/** Below `/api`. */
export const addressOf = (name: string, id: string): string =>
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
