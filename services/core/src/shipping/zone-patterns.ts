/** Patterns of shipping zones: which are accepted, and whether an address matches them. RE2 matches in linear time. */
import type { Row } from '@merx/jsonapi/attributes'
import type { Rule } from '@merx/jsonapi/rules'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

export const ZONE_PATTERN_CHARACTERS_MAX = 1000

const FIELDS = ['country_code', 'state_code', 'zip_code'] as const

const ATTRIBUTES = FIELDS.flatMap((field) => [`${field}_regex`, `not_${field}_regex`])

const compiled = new LRUCache<string, RE2JS>({ max: 1000 })

/** Throws what RE2JS throws when it is no pattern. Merchants write `/^IT$/` as well as `^IT$`. */
const compile = (pattern: string): RE2JS => {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const [, inner, flags = ''] = /^\/(.*)\/(i?)$/.exec(pattern) ?? [undefined, pattern]
  const made = RE2JS.compile(inner ?? pattern, flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0)
  compiled.set(pattern, made)
  return made
}

/** Refuses what is no pattern of RE2, such as look-ahead and back references. */
export const zonePatterns: Rule = ({ after, sent }) => {
  const violations = ATTRIBUTES.filter((attribute) => sent.has(attribute)).flatMap((attribute) => {
    const pattern = after[attribute]
    const problem = typeof pattern === 'string' ? problemOf(pattern) : undefined
    if (problem === undefined) return []
    const message = `must be a regular expression of RE2 syntax (${problem})`
    return [{ at: { attribute }, error: 'invalid', message, value: pattern }]
  })
  return violations.length === 0 ? {} : { violations }
}

const problemOf = (pattern: string): string | undefined => {
  try {
    compile(pattern)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'not valid'
  }
}

const textOf = (row: Row, column: string): string => {
  const value = row[column]
  return typeof value === 'string' ? value : ''
}

/**
 * Whether the zone covers the address: of country, state and zip code each matches its pattern and not the other one. A
 * pattern that is null or empty asks for nothing.
 */
export const matchesZone = (zone: Row, address: Row): boolean =>
  FIELDS.every((field) => {
    const value = textOf(address, field)
    const wanted = textOf(zone, `${field}_regex`)
    const unwanted = textOf(zone, `not_${field}_regex`)
    return (
      (wanted === '' || compile(wanted).matcher(value).find()) &&
      (unwanted === '' || !compile(unwanted).matcher(value).find())
    )
  })
