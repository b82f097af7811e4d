/** Filter value texts → typed values, with a message that says what is expected when they are none. */
import { idTypeOf } from './columns.ts'
import type { ResourceDefinition } from './define-resource.ts'
import { parseExactJson } from './exact-json.ts'
import { problemOfJson } from './json-values.ts'
import type { ValueKind } from './predicates.ts'
import type { PublicIds } from './public-id.ts'
import type { FilterScalar } from './query.ts'

export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly expected: string }

const ok = <T>(value: T): Parsed<T> => ({ ok: true, value })
const expected = (what: string): Parsed<never> => ({ ok: false, expected: what })

const TRUE = ['true', 'TRUE', 't', 'T', '1']
const FALSE = ['false', 'FALSE', 'f', 'F', '0']
const INTEGER = /^[+-]?\d{1,16}$/
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i
const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/

/** A row number that no row has: an id that cannot be decoded matches nothing, as an unknown one does. */
export const NO_ROW = -1

/** `true`, `t`, `1` and their opposites, as in Ransack. */
export const parseBoolean = (text: string): Parsed<boolean> => {
  if (TRUE.includes(text)) return ok(true)
  return FALSE.includes(text) ? ok(false) : expected('true or false')
}

const parseInteger = (text: string): Parsed<number> => {
  const value = Number(text)
  return INTEGER.test(text) && Number.isSafeInteger(value) ? ok(value) : expected('an integer')
}

const parseFloat = (text: string): Parsed<number> => {
  const value = Number(text)
  return DECIMAL.test(text) && Number.isFinite(value) ? ok(value) : expected('a number')
}

/** A date is midnight UTC of that day; a time without zone is UTC. */
export const parseInstant = (text: string): Parsed<Date> => {
  const wanted = 'a date (2018-01-01) or an ISO 8601 time (2018-01-01T12:00:00Z)'
  const time = TIME.exec(text)
  if (time === null && !DATE.test(text)) return expected(wanted)
  const [, date, clock, zone] = time ?? [text, text, '00:00:00', 'Z']
  const value = new Date(`${date}T${clock}${zone ?? 'Z'}`)
  const isRealDay =
    !Number.isNaN(value.getTime()) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(`${date}`)
  return isRealDay ? ok(value) : expected(wanted)
}

/** How ids of one type are read. */
export type DecodeId = (id: string) => number | undefined

const parseId = (text: string, decodeId: DecodeId): Parsed<number> =>
  /^[A-Za-z]*$/.test(text) ? ok(decodeId(text) ?? NO_ROW) : expected('an id')

/** One value of the kind; `decodeId` reads ids, which are of one type. */
export const parseScalar = (text: string, kind: ValueKind, decodeId: DecodeId): Parsed<FilterScalar> => {
  switch (kind) {
    case 'text':
      return ok(text)
    case 'integer':
      return parseInteger(text)
    case 'float':
      return parseFloat(text)
    case 'boolean':
      return parseBoolean(text)
    case 'instant':
      return parseInstant(text)
    case 'id':
      return parseId(text, decodeId)
    case 'object':
    case 'list':
      return expected('nothing: objects and lists have no single value')
  }
}

/** A JSON object (or array, for lists) written as text. */
export const parseJson = (text: string, kind: ValueKind): Parsed<unknown> => {
  const wanted = kind === 'list' ? 'a JSON array' : 'a JSON object'
  try {
    const value = parseExactJson(text)
    const fits = kind === 'list' ? Array.isArray(value) : isPlainObject(value)
    if (!fits) return expected(wanted)
    return problemOfJson(value) === undefined ? ok(value) : expected(`${wanted} that could be stored`)
  } catch {
    // not JSON: the message says what is wanted, the parser's own words would not help a caller
    return expected(wanted)
  }
}

/** Whether a JSON value is an object, not an array or null. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The LIKE pattern of a text: wildcards in it are escaped, except in patterns the caller wrote as such. */
export const toPattern = (text: string, form: 'pattern' | 'start' | 'end' | 'contains'): string => {
  if (form === 'pattern') return text
  const escaped = text.replaceAll(/[\\%_]/g, '\\$&')
  if (form === 'start') return `${escaped}%`
  return form === 'end' ? `%${escaped}` : `%${escaped}%`
}

/** Every type the text may be an id of, with the row number it gives there. */
export const decodeAmong = (
  text: string,
  targets: readonly ResourceDefinition[],
  ids: PublicIds,
): readonly { readonly type: string; readonly number: number }[] =>
  targets.flatMap((target) => {
    const number = ids.decode(idTypeOf(target), text)
    return number === undefined ? [] : [{ type: target.type, number }]
  })
