/** How values of PostgreSQL become JavaScript values; a copy of pg's table, so pg's global one stays as it is. */
import { types } from 'pg'
import type { CustomTypesConfig } from 'pg'

/** Object ids of pg_type, fixed for ever by PostgreSQL. */
const OID = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  int8Array: 1016,
  numericArray: 1231,
  textArray: 1009,
} as const

/**
 * Reads an int8 as a number.
 * @throws RangeError when the value is not exactly representable (beyond ±(2^53 - 1)): a wrong number would be
 * worse than a failed query.
 */
export const parseInt8 = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(
      `int8 value ${text} is beyond 2^53 - 1 and cannot be read as a number; cast it to text`,
    )
  }
  return value
}

/** `timestamp without time zone` is UTC in every table of ours (Prisma's DateTime), never the host's zone. */
const parseUtcTimestamp = (text: string): Date | number => {
  if (text === 'infinity') return Infinity
  if (text === '-infinity') return -Infinity
  const value = new Date(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(value.getTime())) throw new RangeError(`timestamp ${text} cannot be read as a Date`)
  return value
}

/** pg's table knows more types than its declared TypeId does. */
const builtin = types.getTypeParser as (oid: number, format?: 'text' | 'binary') => (value: string) => unknown

const parseTextArray = builtin(OID.textArray, 'text') as (text: string) => (string | null)[]

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [OID.int8]: parseInt8,
  [OID.date]: (text) => text,
  [OID.timestamp]: parseUtcTimestamp,
  [OID.int8Array]: (text) => parseTextArray(text).map((item) => (item === null ? null : parseInt8(item))),
  [OID.numericArray]: (text) => parseTextArray(text),
}

/** The reader of a column; `format` is text unless a query asks for binary rows. */
export const typeParserOf = (oid: number, format?: 'text' | 'binary'): ((value: string) => unknown) =>
  (format === 'binary' ? undefined : parsers[oid]) ?? builtin(oid, format)

/** Passed as `types` to a pg Client or Pool. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: typeParserOf as CustomTypesConfig['getTypeParser'],
}
