/** What the search from anywhere finds: records by what people know them by. A few of each, so that it asks little. */
import { t } from '../language/text.ts'
import { findByName } from '../records/find-records.ts'
import type { Link } from '../records/form-values.ts'
import { titleOf } from '../records/types.ts'

const FOUND_MAX = 5
export const TEXT_MIN = 2

/** Those that people look for; every type is found through its list. */
export const SEARCHED = ['orders', 'skus', 'customers'] as const

export interface Found extends Link {
  /** What it is, for people. */
  readonly kind: string
}

const searchType = async (type: string, text: string): Promise<readonly Found[]> =>
  (await findByName(type, text)).map((link) => ({ ...link, kind: titleOf(type) }))

/** @param types those that the user may read @throws Refused */
export const findRecords = async (text: string, types: readonly string[]): Promise<readonly Found[]> =>
  (await Promise.all(types.map((type) => searchType(type, text)))).flat()

/** The types whose title has the text, as a way to their lists. */
export const findTypes = (text: string, types: readonly string[]): readonly Found[] =>
  types
    .filter((type) => titleOf(type).toLowerCase().includes(text.toLowerCase()))
    .slice(0, FOUND_MAX)
    .map((type) => ({ type, id: '', name: titleOf(type), kind: t('List') }))
