import { createBlockEncoder } from './native-block.ts'
import { createNativeBytes } from './native-bytes.ts'
import { nativeColumn, NotNative } from './native-columns.ts'

const written = (type: string, ...values: readonly unknown[]): Buffer => {
  const bytes = createNativeBytes(4)
  nativeColumn(type).values(bytes, values)
  return Buffer.from(bytes.taken())
}

describe('columns of the Native format', () => {
  it.each([
    ['Decimal(18, 4)', '12.34', 123_400n],
    ['Decimal(18, 4)', '-0.005', -50n],
    ['Decimal(18, 4)', '-90071992547409.91', -900_719_925_474_099_100n],
    ['Decimal(18, 8)', '0.22', 22_000_000n],
    ['Int64', -1, -1n],
    ['Int64', Number.MAX_SAFE_INTEGER, BigInt(Number.MAX_SAFE_INTEGER)],
    ['UInt64', 4_294_967_296, 4_294_967_296n],
    ["DateTime64(3, 'UTC')", '2022-06-27 06:01:32.361', 1_656_309_692_361n],
    ["DateTime64(3, 'UTC')", '1960-02-29 00:00:00.001', -310_521_599_999n],
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
    ['Decimal(18, 4)', '100000000000000.00'],
    ['Decimal(18, 4)', '1.23456'],
    ['Decimal(18, 4)', 12],
    ['UInt8', 256],
    ['UInt64', -1],
    ['Int64', 1.5],
    ['Int64', 2 ** 53],
    ['String', null],
    ['Bool', 1],
    ['LowCardinality(String)', null],
    ['Array(String)', 'text'],
    ["DateTime64(3, 'UTC')", '2022-02-30 00:00:00.000'],
    ["DateTime64(3, 'UTC')", '2022-13-01 00:00:00.000'],
    ["DateTime64(3, 'UTC')", '1850-01-01 00:00:00.000'],
    ["DateTime64(3, 'UTC')", '2022-01-01'],
  ])('%s does not take %s', (type, value) => {
    expect(() => written(type, value)).toThrow(NotNative)
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
    const text = Buffer.from(encode([['a', '1']]) ?? []).toString('latin1')
    expect(text).toBe('\x02\x01\x02id\x06String\x01a\x06amount\x0eDecimal(18, 4)\x10\x27\0\0\0\0\0\0')
  })

  it('is none when a value does not fit', () => {
    expect(
      encode([
        ['a', '1'],
        ['b', 'much'],
      ]),
    ).toBeUndefined()
  })

  it('needs the type of each column', () => {
    expect(() => createBlockEncoder(['other'], new Map())).toThrow('no table has the column other')
  })
})
