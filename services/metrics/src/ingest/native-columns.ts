/**
 * Values of a column → bytes of the engine's Native format: amounts, rates and instants as numbers (forms.ts), null for what is
 * missing. A value that does not fit the type exactly throws `NotNative`.
 * The format: https://clickhouse.com/docs/interfaces/formats/Native; LowCardinality as ClickHouse's
 * SerializationLowCardinality.cpp reads it.
 */
import { JoinedLists, type ColumnValues } from './columns.ts'
import { NotNative } from './forms.ts'
import type { NativeBytes } from './native-bytes.ts'

export interface NativeColumn {
  /** What comes once before the values, of the column and of what is in it. */
  prefix(bytes: NativeBytes): void
  values(bytes: NativeBytes, values: ColumnValues): void
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

const requirePlain = (values: ColumnValues): readonly unknown[] => {
  if (values instanceof JoinedLists) throw new NotNative('a list')
  return values
}

const plain = (write: WriteOne): NativeColumn => ({
  prefix: NOTHING,
  values: (bytes, values) => {
    for (const value of requirePlain(values)) write(bytes, value)
  },
})

/** `empty` stands in the place of a value that is missing. */
const nullable = (write: WriteOne, empty: unknown): NativeColumn => ({
  prefix: NOTHING,
  values: (bytes, given) => {
    const values = requirePlain(given)
    for (const value of values) bytes.byte(value === null ? 1 : 0)
    for (const value of values) write(bytes, value ?? empty)
  },
})

const joinLists = (values: readonly unknown[]): JoinedLists => {
  const items: unknown[] = []
  const ends = values.map((value) => {
    if (!Array.isArray(value)) throw new NotNative('not a list')
    for (const item of value as readonly unknown[]) items.push(item)
    return items.length
  })
  return new JoinedLists(ends, items)
}

const list = (inner: NativeColumn): NativeColumn => ({
  prefix: (bytes) => inner.prefix(bytes),
  values: (bytes, values) => {
    const { ends, items } = values instanceof JoinedLists ? values : joinLists(values)
    for (const end of ends) bytes.int64(end)
    inner.values(bytes, items)
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
  values: (bytes, given) => {
    const values = requirePlain(given)
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

const writeSafeInteger = writeInteger(Number.MIN_SAFE_INTEGER)

/** Also what stands for null in a Nullable of it. */
const SCALARS: Readonly<Record<string, readonly [WriteOne, unknown]>> = {
  String: [writeText, ''],
  Bool: [writeBool, false],
  UInt8: [writeUInt8, 0],
  UInt64: [writeInteger(0), 0],
  Int64: [writeSafeInteger, 0],
  "DateTime64(3, 'UTC')": [writeSafeInteger, 0],
  'Decimal(18, 4)': [writeSafeInteger, 0],
  'Decimal(18, 8)': [writeSafeInteger, 0],
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
  return wrapper === 'Nullable' ? nullable(write, empty) : plain(write)
}
