/**
 * Values of a column → bytes of the engine's Native format. What a column takes as text in JSON it takes here too: decimals
 * and instants as text, null for what is missing. A value that does not fit the type exactly throws `NotNative`.
 * The format: https://clickhouse.com/docs/interfaces/formats/Native; LowCardinality as ClickHouse's
 * SerializationLowCardinality.cpp reads it.
 */
import type { NativeBytes } from './native-bytes.ts'

/** The value may be right all the same: the engine judges it when it comes as text. */
export class NotNative extends Error {
  override readonly name = 'NotNative'
}

export interface NativeColumn {
  /** What comes once before the values, of the column and of what is in it. */
  prefix(bytes: NativeBytes): void
  values(bytes: NativeBytes, values: readonly unknown[]): void
}

type WriteOne = (bytes: NativeBytes, value: unknown) => void

const NOTHING = (): void => undefined

const writeText: WriteOne = (bytes, value) => {
  if (typeof value !== 'string') throw new NotNative('not a text')
  bytes.text(value)
}

const writeBool: WriteOne = (bytes, value) => {
  if (typeof value !== 'boolean') throw new NotNative('not true or false')
  bytes.byte(value ? 1 : 0)
}

const writeUInt8: WriteOne = (bytes, value) => {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > 255) throw new NotNative('not a UInt8')
  bytes.byte(Number(value))
}

const writeInteger =
  (min: number): WriteOne =>
  (bytes, value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min)
      throw new NotNative('not an exact integer')
    bytes.int64(value)
  }

const INSTANT = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})$/
/** Within what the engine keeps exactly. */
const [INSTANT_MIN, INSTANT_MAX] = [Date.UTC(1901, 0, 1), Date.UTC(2299, 0, 1)]

const digits = (text: string, from: number, to: number): number => {
  let value = 0
  for (let at = from; at < to; at += 1) value = value * 10 + (text.charCodeAt(at) - 48)
  return value
}

/** `2022-06-27 06:01:32.361` → milliseconds. */
const writeInstant: WriteOne = (bytes, value) => {
  if (typeof value !== 'string' || !INSTANT.test(value)) throw new NotNative('not an instant')
  const [month, day] = [digits(value, 5, 7), digits(value, 8, 10)]
  const [hour, minute, second] = [digits(value, 11, 13), digits(value, 14, 16), digits(value, 17, 19)]
  const at = Date.UTC(digits(value, 0, 4), month - 1, day, hour, minute, second, digits(value, 20, 23))
  // Days after 28 may not be there in each month; no document of core has them, and the engine knows what to do with text.
  const isThere = month >= 1 && month <= 12 && day >= 1 && (day <= 28 || new Date(at).getUTCDate() === day)
  if (!isThere || hour > 23 || minute > 59 || second > 59 || at < INSTANT_MIN || at >= INSTANT_MAX)
    throw new NotNative('not an instant that the engine keeps')
  bytes.int64(at)
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const DECIMAL_DIGITS = 18
const SAFE_DIGITS = 15

const writeDecimal =
  (scale: number): WriteOne =>
  (bytes, value) => {
    const [, sign, whole = '', fraction = ''] = typeof value === 'string' ? (DECIMAL.exec(value) ?? []) : []
    if (whole === '' || fraction.length > scale) throw new NotNative('not a decimal')
    const units = whole + fraction.padEnd(scale, '0')
    if (units.length <= SAFE_DIGITS) {
      bytes.int64(sign === '-' ? -Number(units) : Number(units))
      return
    }
    const exact = BigInt(units)
    if (exact >= 10n ** BigInt(DECIMAL_DIGITS)) throw new NotNative('too large')
    bytes.bigInt64(sign === '-' ? -exact : exact)
  }

const plain = (write: WriteOne): NativeColumn => ({
  prefix: NOTHING,
  values: (bytes, values) => {
    for (const value of values) write(bytes, value)
  },
})

/** What stands in the place of a value that is missing. */
const nullable = (inner: NativeColumn, empty: unknown): NativeColumn => ({
  prefix: (bytes) => inner.prefix(bytes),
  values: (bytes, values) => {
    for (const value of values) bytes.byte(value === null ? 1 : 0)
    inner.values(
      bytes,
      values.map((value) => value ?? empty),
    )
  },
})

const list = (inner: NativeColumn): NativeColumn => ({
  prefix: (bytes) => inner.prefix(bytes),
  values: (bytes, values) => {
    const all: unknown[] = []
    for (const value of values) {
      if (!Array.isArray(value)) throw new NotNative('not a list')
      for (const item of value as readonly unknown[]) all.push(item)
      bytes.int64(all.length)
    }
    inner.values(bytes, all)
  },
})

const SHARED_DICTIONARIES_VERSION = 1
/** The block brings all its keys, and is read with them alone. */
const HAS_OWN_KEYS = (1 << 9) | (1 << 10)

const writeIndex = (bytes: NativeBytes, index: number, width: 0 | 1 | 2): void => {
  if (width === 0) bytes.byte(index)
  else if (width === 1) bytes.uint16(index)
  else bytes.uint32(index)
}

/** Of texts. The first key of one that takes null stands for null. */
const lowCardinality = (takesNull: boolean): NativeColumn => ({
  prefix: (bytes) => bytes.int64(SHARED_DICTIONARIES_VERSION),
  values: (bytes, values) => {
    if (values.length === 0) return
    const keys = new Map<unknown, number>(takesNull ? [[null, 0]] : [])
    const indexes = values.map((value) => {
      const known = keys.get(value)
      if (known !== undefined) return known
      if (typeof value !== 'string') throw new NotNative('not a text')
      keys.set(value, keys.size)
      return keys.size - 1
    })
    const width = keys.size <= 0xff ? 0 : keys.size <= 0xffff ? 1 : 2
    bytes.int64(HAS_OWN_KEYS | width)
    bytes.int64(keys.size)
    for (const key of keys.keys()) bytes.text(typeof key === 'string' ? key : '')
    bytes.int64(values.length)
    for (const index of indexes) writeIndex(bytes, index, width)
  },
})

/** Also what stands for null in a Nullable of it. */
const SCALARS: Readonly<Record<string, readonly [WriteOne, unknown]>> = {
  String: [writeText, ''],
  Bool: [writeBool, false],
  UInt8: [writeUInt8, 0],
  UInt64: [writeInteger(0), 0],
  Int64: [writeInteger(Number.MIN_SAFE_INTEGER), 0],
  "DateTime64(3, 'UTC')": [writeInstant, '1970-01-01 00:00:00.000'],
  'Decimal(18, 4)': [writeDecimal(4), '0'],
  'Decimal(18, 8)': [writeDecimal(8), '0'],
}

const WRAPPED = /^(Array|Nullable|LowCardinality)\((.*)\)$/

/** Throws an Error for a type that no table of ours has. */
export const nativeColumn = (type: string): NativeColumn => {
  if (type === 'LowCardinality(String)') return lowCardinality(false)
  if (type === 'LowCardinality(Nullable(String))') return lowCardinality(true)
  const [, wrapper, inner = ''] = WRAPPED.exec(type) ?? []
  if (wrapper === 'Array') return list(nativeColumn(inner))
  const [write, empty] = SCALARS[wrapper === 'Nullable' ? inner : type] ?? []
  if (write === undefined) throw new Error(`a column of type ${type} has no binary form here`)
  return wrapper === 'Nullable' ? nullable(plain(write), empty) : plain(write)
}
