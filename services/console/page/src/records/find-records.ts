/** Records by what people know them by: a few, the newest first. */
import { askCore } from '../data/api.ts'
import type { Link } from './form-values.ts'
import { nameOf, pathOf, recordType, type CoreRecord } from './types.ts'

const FOUND_MAX = 5

/** A comma would separate values. */
export const escaped = (text: string): string => text.replaceAll(',', String.raw`\,`)

/** `code_or_name_cont`: what a text is looked for in. */
export const nameFilter = (type: string): string => `filter[q][${recordType(type).naming.join('_or_')}_cont]`

const isOther = (value: unknown, name: string): value is string =>
  typeof value === 'string' && value !== '' && value !== name

/** @param text empty for the newest of all @throws Refused */
export const findByName = async (type: string, text: string): Promise<readonly Link[]> => {
  const { naming } = recordType(type)
  const query = new URLSearchParams({
    ...(text === '' ? {} : { [nameFilter(type)]: escaped(text) }),
    [`fields[${type}]`]: naming.join(','),
    'page[size]': String(FOUND_MAX),
    sort: '-created_at',
  })
  const { data } = await askCore<{ readonly data: readonly CoreRecord[] }>(
    `${pathOf(type)}?${query.toString()}`,
  )
  return data.map((record) => {
    const name = nameOf(type, record)
    const about = naming.map((each) => record.attributes[each]).find((value) => isOther(value, name))
    return { type: record.type, id: record.id, name, ...(about === undefined ? {} : { about }) }
  })
}
