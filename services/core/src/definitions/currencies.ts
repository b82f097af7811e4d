/** ISO 4217 codes of currencies in use, from the data of countries-list, and codes that stored records may have. */
import { countries } from 'countries-list'

/** Units of account and inter-bank codes: no price is in them. */
const FUNDS: ReadonlySet<string> = new Set(['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW'])

/** Replaced by XCG (2025) and EUR (2026); orders of earlier years are in them. */
const HISTORICAL = ['ANG', 'BGN']

const inUse = Object.values(countries)
  .flatMap(({ currency }) => currency)
  .filter((code) => !FUNDS.has(code))

export const CURRENCIES: readonly string[] = [...new Set([...inUse, ...HISTORICAL])].sort()
