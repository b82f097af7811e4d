/** The search cursor: where a page ended, signed together with the query it belongs to. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isObject } from './json-object.ts'
import { limits } from './limits.ts'

export interface CursorPosition {
  /** Milliseconds of the sort date of the last record; null when the record has none. */
  readonly sortedAtMs: number | null
  readonly id: string
  /** The date range of the first page, so that a defaulted range does not move between pages. */
  readonly fromMs: number
  readonly toMs: number
  /** Records that matched the first page. */
  readonly total: number
  /** Records on the pages so far. */
  readonly shown: number
  /** Milliseconds of sort date between two records of the page; null when unknown. */
  readonly spacingMs: number | null
}

export interface CursorCodec {
  encode(position: CursorPosition, fingerprint: string): string
  /** Undefined for a cursor that is malformed, was changed, or belongs to another query. */
  decode(cursor: string, fingerprint: string): CursorPosition | undefined
}

const SIGNATURE_BYTES = 16

const isNumber = (value: unknown): value is number => typeof value === 'number'
const isNumberOrNull = (value: unknown): value is number | null => value === null || isNumber(value)

const toPosition = (value: unknown): CursorPosition | undefined => {
  if (!isObject(value)) return undefined
  const { s: sortedAtMs, i: id, f: fromMs, t: toMs, n: total, c: shown, w: spacingMs } = value
  if (!isNumberOrNull(sortedAtMs) || !isNumberOrNull(spacingMs) || typeof id !== 'string') return undefined
  if (!isNumber(fromMs) || !isNumber(toMs) || !isNumber(total) || !isNumber(shown)) return undefined
  return { sortedAtMs, id, fromMs, toMs, total, shown, spacingMs }
}

const toPayload = (position: CursorPosition): string => {
  const { sortedAtMs: s, id: i, fromMs: f, toMs: t, total: n, shown: c, spacingMs: w } = position
  return JSON.stringify({ s, i, f, t, n, c, w })
}

/** All replicas share `key`, so that any of them answers the next page. */
export const createCursorCodec = (key: Buffer): CursorCodec => {
  const sign = (payload: string, fingerprint: string): Buffer =>
    createHmac('sha256', key).update(`${fingerprint}\n${payload}`).digest().subarray(0, SIGNATURE_BYTES)
  return {
    encode: (position, fingerprint) => {
      const payload = toPayload(position)
      const signed = Buffer.concat([sign(payload, fingerprint), Buffer.from(payload)])
      return signed.toString('base64url')
    },
    decode: (cursor, fingerprint) => {
      if (cursor.length > limits.cursorLengthMax) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      // The decoder passes over what is no base64; a cursor with anything in it is a changed one.
      if (bytes.toString('base64url') !== cursor) return undefined
      const signature = bytes.subarray(0, SIGNATURE_BYTES)
      const payload = bytes.subarray(SIGNATURE_BYTES).toString()
      const expected = sign(payload, fingerprint)
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined
      return toPosition(JSON.parse(payload))
    },
  }
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return entries.map(([key, inner]) => [key, sorted(inner)])
}

/** The same for equal values whatever the order of their keys. */
export const fingerprintOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url')
