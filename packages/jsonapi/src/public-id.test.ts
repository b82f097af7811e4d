import { createHash } from 'node:crypto'
import { encodeId, decodeId, TEST_ID_SECRET } from './fixtures/ids.ts'
import { createPublicIds, offensiveWords } from './public-id.ts'

const NUMBERS = [0, 1, 2, 9, 51, 52, 1_000, 123_456, 2 ** 31, 10 ** 12, Number.MAX_SAFE_INTEGER]

const others = createPublicIds({ secret: 'the-secret-of-another-installation' })

/** The places at which two ids have the same letter. */
const agreements = (one: string, other: string): number =>
  [...one].filter((letter, at) => letter === other[at]).length

describe('encode', () => {
  it.each(NUMBERS)('gives ten letters, and back again for %d', (number) => {
    const id = encodeId('skus', number)
    expect(id).toMatch(/^[a-zA-Z]{10}$/)
    expect(decodeId('skus', id)).toBe(number)
  })

  it('never changes for one secret: ids are stored by clients', () => {
    expect(encodeId('skus', 1)).toBe('UlJZigAloa')
    expect(encodeId('markets', 1)).toBe('McIXEyaBbE')
    expect(encodeId('orders', Number.MAX_SAFE_INTEGER)).toBe('vEfwylqtFr')
  })

  it('is the same in every process that has the secret', () => {
    const again = createPublicIds({ secret: TEST_ID_SECRET })
    for (const number of NUMBERS) expect(again.encode('skus', number)).toBe(encodeId('skus', number))
  })

  it('takes a bigint for the same id', () => {
    expect(encodeId('orders', 77n)).toBe(encodeId('orders', 77))
  })

  it('gives different ids to different numbers, also past what it keeps', () => {
    const ids = Array.from({ length: 25_000 }, (_, number) => encodeId('prices', number))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id, number) => decodeId('prices', id) === number)).toBe(true)
    expect(encodeId('prices', 0)).toBe(ids[0])
  })

  it('gives ids to neighbours that have no more in common than any two words', () => {
    const pairs = Array.from({ length: 2_000 }, (_, number) =>
      agreements(encodeId('orders', number), encodeId('orders', number + 1)),
    )
    const average = pairs.reduce((sum, count) => sum + count, 0) / pairs.length
    // ten letters of 52: 0.19 by chance
    expect(average).toBeLessThan(0.3)
    expect(Math.max(...pairs)).toBeLessThan(5)
  })

  it.each([-1, 1.5, Number.NaN, 2 ** 60, -5n])('refuses %p, which is no row number', (number) => {
    expect(() => encodeId('skus', number)).toThrow(RangeError)
  })
})

describe('the secret', () => {
  it('decides every id: who has the source alone can compute none', () => {
    for (const number of NUMBERS) expect(others.encode('orders', number)).not.toBe(encodeId('orders', number))
  })

  it('of another installation reads nothing of this one', () => {
    for (const number of NUMBERS) expect(others.decode('orders', encodeId('orders', number))).not.toBe(number)
  })
})

describe('types', () => {
  it('have different ids for the same number', () => {
    expect(encodeId('skus', 1)).not.toBe(encodeId('prices', 1))
  })

  it('do not accept each other’s ids for the same row', () => {
    expect(decodeId('skus', encodeId('prices', 5))).not.toBe(5)
  })
})

describe('words that ids must not contain', () => {
  it('are in none of them, and what is given instead is read', () => {
    const words = new RegExp(offensiveWords.join('|'), 'i')
    const ids = Array.from({ length: 10_000 }, (_, number) => encodeId('tags', number))
    expect(ids.filter((id) => words.test(id))).toEqual([])
    expect(ids.every((id, number) => decodeId('tags', id) === number)).toBe(true)
  })

  it('are always the same: with others, ids would change', () => {
    expect(createHash('sha256').update(offensiveWords.join()).digest('hex')).toBe(
      '041bb017c92d734305b2967ee18eecf53563110c59cf958ef34f0a2973e6a17e',
    )
  })
})

describe('prepare', () => {
  it('changes no id, whether the number was known, repeated or its first word is refused', () => {
    const numbers = Array.from({ length: 5_000 }, (_, number) => number)
    const expected = numbers.map((number) => encodeId('tags', number))
    const ids = createPublicIds({ secret: TEST_ID_SECRET })
    ids.encode('tags', 3)
    ids.prepare('tags', [...numbers, 3, 3])
    expect(numbers.map((number) => ids.encode('tags', number))).toEqual(expected)
    expect(() => ids.prepare('tags', [1, -1])).toThrow('not a row number: -1')
  })
})

describe('decode', () => {
  it.each([
    ['empty text', ''],
    ['a number', '1'],
    ['too short', 'abc'],
    ['one letter more', 'abcdefghijk'],
    ['digits', 'abcdefghi1'],
    ['too long', 'a'.repeat(200)],
    ['letters outside ASCII', 'abcdefghié'],
    ['SQL', "a' or 1=1--"],
    ['a line break after it', `${encodeId('skus', 5)}\n`],
  ])('knows %s is no id', (_name, text) => {
    expect(decodeId('skus', text)).toBeUndefined()
  })

  it('takes of all words only those that encode gives', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
    const words = Array.from({ length: 3_000 }, (_, at) =>
      Array.from({ length: 10 }, (_letter, place) =>
        letters.charAt((at * 31 + place * at + place) % 52),
      ).join(''),
    )
    const read = words.flatMap((word) => {
      const number = decodeId('skus', word)
      return number === undefined ? [] : [{ word, number }]
    })
    for (const { word, number } of read) expect(encodeId('skus', number)).toBe(word)
    // sixteen words in seventeen name a number that has another id
    expect(read.length).toBeGreaterThan(100)
    expect(read.length).toBeLessThan(300)
  })

  it('takes no id with one letter changed for the same row', () => {
    const id = encodeId('skus', 5)
    const twins = Array.from(
      { length: 10 },
      (_, at) => `${id.slice(0, at)}${id[at] === 'a' ? 'b' : 'a'}${id.slice(at + 1)}`,
    )
    expect(twins.some((twin) => decodeId('skus', twin) === 5)).toBe(false)
  })
})
