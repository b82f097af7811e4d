/** Patterns of addresses, as shipping zones and tax rules have them, and whether an address matches them. */
import { text } from '@merx/jsonapi/attributes'
import type { Row } from '@merx/jsonapi/attributes'
import { isFoundIn, patternsIn } from './patterns.ts'

const FIELDS = ['country_code', 'state_code', 'zip_code'] as const

const pattern = () => text({ write: 'always', max: 1000 })

/** The attributes of the patterns. */
export const addressPatterns = {
  country_code_regex: pattern(),
  not_country_code_regex: pattern(),
  state_code_regex: pattern(),
  not_state_code_regex: pattern(),
  zip_code_regex: pattern(),
  not_zip_code_regex: pattern(),
} as const

/** The rule of a type with these attributes. */
export const validAddressPatterns = patternsIn(...Object.keys(addressPatterns))

const textOf = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}

/**
 * Whether the address matches: each of country, state and zip code its pattern and not the other one. A pattern that is
 * null or empty, which is found in any text, requires nothing.
 */
export const matchesAddress = (patterns: Row, address: Row): boolean =>
  FIELDS.every((field) => {
    const value = textOf(address, field)
    const wanted = textOf(patterns, `${field}_regex`)
    const unwanted = textOf(patterns, `not_${field}_regex`)
    return isFoundIn(wanted, value) && (unwanted === '' || !isFoundIn(unwanted, value))
  })
