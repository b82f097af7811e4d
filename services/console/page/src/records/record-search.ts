/** What the address of a list of records says: a text, filters of core's list, the page. */
import { readTextSearch, type TextSearch } from '../parts/text-search.ts'

export interface RecordSearch extends TextSearch {
  /** Attribute and predicate → value, such as `quantity_lteq` → `5`; core says which there are. */
  readonly filters?: Readonly<Record<string, string>>
}

const FILTERS_MAX = 10
const VALUE_MAX = 200

const readFilters = (raw: unknown): Readonly<Record<string, string>> =>
  typeof raw !== 'object' || raw === null
    ? {}
    : Object.fromEntries(
        Object.entries(raw)
          .filter(
            (entry): entry is [string, string | number | boolean] =>
              /^\w{1,100}$/.test(entry[0]) && ['string', 'number', 'boolean'].includes(typeof entry[1]),
          )
          .slice(0, FILTERS_MAX)
          .map(([name, value]) => [name, String(value).slice(0, VALUE_MAX)]),
      )

/** Takes what makes sense; an address that somebody typed is no reason for an error page. */
export const readRecordSearch = (raw: Readonly<Record<string, unknown>>): RecordSearch => {
  const filters = readFilters(raw['filters'])
  return { ...readTextSearch(raw), ...(Object.keys(filters).length === 0 ? {} : { filters }) }
}
