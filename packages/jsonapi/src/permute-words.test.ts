import { randomBytes } from 'node:crypto'
import { FF1 } from '@noble/ciphers/ff1.js'
import { createWordPermutation, HALF, HALF_LENGTH, RADIX } from './permute-words.ts'
import type { Word } from './permute-words.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, at) => at)

const numeralsOf = ({ left, right }: Word): number[] => [...halfNumerals(left), ...halfNumerals(right)]

const halfNumerals = (half: number): number[] =>
  Array.from({ length: HALF_LENGTH }, (_, at) => Math.floor(half / RADIX ** (HALF_LENGTH - 1 - at)) % RADIX)

const LIMITS: readonly Word[] = [
  { left: 0, right: 0 },
  { left: 0, right: 1 },
  { left: 0, right: HALF - 1 },
  { left: HALF - 1, right: 0 },
  { left: HALF - 1, right: HALF - 1 },
]

/** Spread over all words, always the same. */
const SAMPLE: readonly Word[] = Array.from({ length: 100 }, (_, at) => ({
  left: (at * 7_368_787) % HALF,
  right: (at * 104_395_301) % HALF,
}))

describe('createWordPermutation', () => {
  it.each([
    ['a known key', KEY],
    ['a random key', new Uint8Array(randomBytes(32))],
  ])('is FF1 as another implementation computes it, with %s', (_name, key) => {
    const permutation = createWordPermutation(key)
    const standard = FF1(RADIX, key)
    for (const word of [...LIMITS, ...SAMPLE]) {
      const numerals = numeralsOf(word)
      expect(numeralsOf(permutation.forward(word))).toEqual(standard.encrypt(numerals))
      expect(numeralsOf(permutation.backward(word))).toEqual(standard.decrypt(numerals))
    }
  })

  it('gives every word another, and each back again', () => {
    const permutation = createWordPermutation(KEY)
    const words = [...LIMITS, ...Array.from({ length: 5_000 }, (_, right) => ({ left: 0, right: right + 2 }))]
    const images = words.map((word) => permutation.forward(word))
    expect(new Set(images.map(({ left, right }) => `${left}/${right}`)).size).toBe(words.length)
    const lost = words.filter((word, at) => {
      const back = permutation.backward(images[at] ?? word)
      return back.left !== word.left || back.right !== word.right
    })
    expect(lost).toEqual([])
  })

  it('gives many words at once what it gives each', () => {
    const permutation = createWordPermutation(KEY)
    const words = [...LIMITS, ...SAMPLE]
    expect(permutation.forwardAll(words)).toEqual(words.map((word) => permutation.forward(word)))
    expect(permutation.forwardAll([])).toEqual([])
  })

  it('is another one with another key', () => {
    const [first, second] = [createWordPermutation(KEY), createWordPermutation(KEY.map((byte) => byte + 1))]
    const same = SAMPLE.filter((word) => first.forward(word).left === second.forward(word).left)
    expect(same).toEqual([])
  })

  it('takes no key of another length', () => {
    expect(() => createWordPermutation(KEY.subarray(1))).toThrow('Invalid key length')
  })
})
