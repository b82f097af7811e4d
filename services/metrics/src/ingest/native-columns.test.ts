import { JoinedLists, type ColumnValues } from './columns.ts'
import { NotNative } from './forms.ts'
import { createBlockEncoder } from './native-block.ts'
import { createNativeBytes } from './native-bytes.ts'
import { nativeColumn } from './native-columns.ts'

const writtenAll = (type: string, values: ColumnValues): Buffer => {
  const bytes = createNativeBytes(4)
  nativeColumn(type).values(bytes, values)
  return Buffer.from(bytes.taken())
}

const written = (type: string, ...values: readonly unknown[]): Buffer => writtenAll(type, values)

describe('columns of the Native format', () => {
  it.each([
    ['Decimal(18, 4)', 123_400, 123_400n],
    ['Decimal(18, 4)', -50, -50n],
    ['Decimal(18, 4)', Number.MIN_SAFE_INTEGER, BigInt(Number.MIN_SAFE_INTEGER)],
    ['Decimal(18, 8)', 22_000_000, 22_000_000n],
    ['Int64', -1, -1n],
    ['Int64', Number.MAX_SAFE_INTEGER, BigInt(Number.MAX_SAFE_INTEGER)],
    ['UInt64', 4_294_967_296, 4_294_967_296n],
    ["DateTime64(3, 'UTC')", 1_656_309_692_361, 1_656_309_692_361n],
    ["DateTime64(3, 'UTC')", -310_521_599_999, -310_521_599_999n],
  ])('%s of %s is exact', (type, value, expected) => {
    expect(written(type, value).readBigInt64LE()).toBe(expected)
  })

  it('writes texts of any length and script', () => {
    for (const text of ['', 'plain', 'für Ægir', '注文', 'x'.repeat(300), 'ä'.repeat(47)]) {
      const bytes = createNativeBytes(1)
      bytes.text(text)
      const [length] = [Buffer.byteLength(text)]
      expect(
        Buffer.from(bytes.taken())
          .subarray(length > 127 ? 2 : 1)
          .toString(),
      ).toBe(text)
    }
  })

  it.each([
    ['Decimal(18, 4)', 2 ** 53],
    ['Decimal(18, 4)', 0.5],
    ['Decimal(18, 4)', '12.34'],
    ['Decimal(18, 8)', Number.NaN],
    ['UInt8', 256],
    ['UInt64', -1],
    ['Int64', 1.5],
    ['Int64', 2 ** 53],
    ['String', null],
    ['Bool', 1],
    ['LowCardinality(String)', null],
    ['Array(String)', 'text'],
    ["DateTime64(3, 'UTC')", '2022-06-27 06:01:32.361'],
    ["DateTime64(3, 'UTC')", null],
  ])('%s does not take %s', (type, value) => {
    expect(() => written(type, value)).toThrow(NotNative)
  })

  it('writes lists that are joined as it writes one after the other', () => {
    const apart = written('Array(Nullable(Int64))', [1, null], [], [3])
    expect(writtenAll('Array(Nullable(Int64))', new JoinedLists([2, 2, 3], [1, null, 3]))).toEqual(apart)
  })

  it.each(['String', 'Nullable(String)', 'LowCardinality(String)'])('%s does not take lists', (type) => {
    expect(() => writtenAll(type, new JoinedLists([1], ['text']))).toThrow(NotNative)
  })

  it('knows no other types', () => {
    expect(() => nativeColumn('Float64')).toThrow('a column of type Float64 has no binary form here')
  })
})

describe('a block', () => {
  const encode = createBlockEncoder(
    ['id', 'amount'],
    new Map([
      ['id', 'String'],
      ['amount', 'Decimal(18, 4)'],
    ]),
  )

  it('has its columns with names and types', () => {
    const text = Buffer.from(encode(1, [['a'], [10_000]])).toString('latin1')
    expect(text).toBe('\x02\x01\x02id\x06String\x01a\x06amount\x0eDecimal(18, 4)\x10\x27\0\0\0\0\0\0')
  })

  it('is none when a value does not fit', () => {
    expect(() =>
      encode(2, [
        ['a', 'b'],
        [10_000, 'much'],
      ]),
    ).toThrow(NotNative)
  })

  it('needs the values of each column', () => {
    expect(() => encode(1, [['a']])).toThrow('the column amount has no values')
  })

  it('needs the type of each column', () => {
    expect(() => createBlockEncoder(['other'], new Map())).toThrow('no table has the column other')
  })
})
