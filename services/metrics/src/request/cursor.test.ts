import { createCursorCodec, fingerprintOf } from './cursor.ts'

const position = {
  sortedAtMs: 1_656_309_692_361,
  id: 'qjobhrmrDV',
  fromMs: 0,
  toMs: 1,
  total: 123,
  shown: 50,
  spacingMs: 7_200,
}
const codec = createCursorCodec(Buffer.from('key'))

describe('search cursors', () => {
  it.each([position, { ...position, sortedAtMs: null, spacingMs: null }])(
    'come back as they were: %j',
    (given) => {
      expect(codec.decode(codec.encode(given, 'query'), 'query')).toEqual(given)
    },
  )

  it('fit into a URL and a JSON string as they are', () => {
    expect(codec.encode(position, 'query')).toMatch(/^[\w-]+$/)
  })

  it('are refused by another query', () => {
    expect(codec.decode(codec.encode(position, 'query'), 'other')).toBeUndefined()
  })

  it('are refused by a service with another key', () => {
    const other = createCursorCodec(Buffer.from('other'))
    expect(other.decode(codec.encode(position, 'query'), 'query')).toBeUndefined()
  })

  it('are refused after a change of any byte', () => {
    const bytes = Buffer.from(codec.encode(position, 'query'), 'base64url')
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(codec.decode(changed.toString('base64url'), 'query')).toBeUndefined()
    }
  })

  it.each([
    ['something behind it', (cursor: string) => `${cursor}!!`],
    ['a line break inside', (cursor: string) => `${cursor.slice(0, 9)}\n${cursor.slice(9)}`],
    ['padding', (cursor: string) => `${cursor}=`],
    ['a space before it', (cursor: string) => ` ${cursor}`],
    ['the other alphabet of base64', (cursor: string) => cursor.replaceAll('-', '+').replaceAll('_', '/')],
  ])('are refused with %s, though it decodes to the same', (_name, change) => {
    const cursors = Array.from({ length: 20 }, (_, shown) => codec.encode({ ...position, shown }, 'query'))
    for (const changed of cursors.map(change).filter((one) => !cursors.includes(one))) {
      expect(codec.decode(changed, 'query')).toBeUndefined()
    }
  })

  it.each(['', 'a', 'null', 'x'.repeat(2000), '{}'])('refuse %j', (text) => {
    expect(codec.decode(text, 'query')).toBeUndefined()
  })
})

describe('fingerprintOf', () => {
  it('does not depend on the order of keys', () => {
    expect(fingerprintOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(
      fingerprintOf({ b: { d: null, c: [1, 2] }, a: 1 }),
    )
  })

  it('depends on values, on the order of lists, and on nesting', () => {
    const all = [
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: [1, 2] },
      { a: [2, 1] },
      { a: { b: 1 } },
      [['a', 1]],
      {},
    ]
    expect(new Set(all.map(fingerprintOf)).size).toBe(all.length - 1) // a list of pairs looks like its object
  })
})
