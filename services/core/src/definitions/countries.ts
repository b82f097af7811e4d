/** ISO 3166-1 alpha-2 codes, and XK for Kosovo, which shops and carriers use; from the data of countries-list. */
import { countries } from 'countries-list'

/** Codes that ISO reserves for parts of a country (Ascension, Tristan da Cunha): their addresses are in SH. */
const RESERVED: ReadonlySet<string> = new Set(['AC', 'TA'])

export const COUNTRIES: readonly string[] = Object.keys(countries)
  .filter((code) => !RESERVED.has(code))
  .sort()
