/**
 * Row numbers inside, ten letters outside. Without the secret, nobody can compute the id of a number, the number of an
 * id, or an id from others (docs/adr/0006-ids.md).
 */
import { hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { defaultOptions } from 'sqids'
import { createWordPermutation, HALF, HALF_LENGTH, RADIX } from './permute-words.ts'
import type { Word, WordPermutation } from './permute-words.ts'

export interface PublicIds {
  /**
   * The public id of a row: 10 letters, always the same for the same secret, type and number.
   * Throws RangeError on a number that is no row number (negative, fractional, beyond 2^53 - 1).
   *
   * @example ids.encode('skus', 1) === ids.encode('skus', 1n)
   */
  encode(type: string, number: number | bigint): string
  /** Computes the ids of many rows at once and caches them for `encode`; far faster than one by one. */
  prepare(type: string, numbers: readonly number[]): void
  /** The row number of a public id, or undefined when the text is not exactly what `encode` gives for this type. */
  decode(type: string, id: string): number | undefined
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const SHAPE = /^[a-zA-Z]{10}$/
const ROW_NUMBER_MAX = Number.MAX_SAFE_INTEGER
const ROW_NUMBER_BITS = 53n
const HALF_COUNT = BigInt(HALF)
const KEY_BYTES = 32

/** 52 ^ 10 words are sixteen times 2 ^ 53: so many has every number, and the first that can be shown is its id. */
const WORDS_PER_NUMBER = 16

/** Whether the text has the form of an id, of whatever type: ten letters. Nothing else was ever given as one. */
export const isIdShaped = (text: string): boolean => SHAPE.test(text)

/** What an id must not contain. Words with digits cannot occur, shorter ones would be everywhere. */
export const offensiveWords: readonly string[] = [...defaultOptions.blocklist]
  .filter((word) => /^[a-z]{4,}$/.test(word))
  .sort()

const OFFENSIVE = new RegExp(offensiveWords.join('|'), 'i')

/** Ids cached per type: computing one takes about 10 µs. */
const IDS_CACHED_MAX = 20_000

/**
 * One object for all types, each with a key of its own. Ids are stored by clients and by other services: the secret
 * can never change.
 *
 * @example const ids = createPublicIds({ secret: config.idSecret.reveal() })
 */
export const createPublicIds = ({ secret }: { readonly secret: string }): PublicIds => {
  const codecs = new Map<string, Codec>()
  const codecOf = (type: string): Codec => {
    const known = codecs.get(type)
    if (known !== undefined) return known
    const codec = createCodec(secret, type)
    codecs.set(type, codec)
    return codec
  }
  return Object.freeze({
    encode: (type: string, number: number | bigint) => codecOf(type).encode(toRowNumber(number)),
    prepare: (type: string, numbers: readonly number[]) => codecOf(type).prepare(numbers.map(toRowNumber)),
    decode: (type: string, id: string) => (isIdShaped(id) ? codecOf(type).decode(id) : undefined),
  })
}

interface Codec {
  encode(number: number): string
  prepare(numbers: readonly number[]): void
  /** Takes ten letters. */
  decode(id: string): number | undefined
}

const createCodec = (secret: string, type: string): Codec => {
  const key = hkdfSync('sha256', secret, '', `merx public id of ${type}`, KEY_BYTES)
  const permutation = createWordPermutation(new Uint8Array(key))
  const cached = new LRUCache<number, string>({ max: IDS_CACHED_MAX })
  const compute = (number: number): string => {
    const id = firstDecentId(number, permutation)
    cached.set(number, id)
    return id
  }
  return {
    encode: (number) => cached.get(number) ?? compute(number),
    prepare: (numbers) => {
      const missing = [...new Set(numbers)].filter((number) => !cached.has(number))
      const words = permutation.forwardAll(missing.map(splitNumber))
      for (const [at, word] of words.entries()) {
        const id = toText(word)
        const number = missing[at]
        if (number !== undefined && !OFFENSIVE.test(id)) cached.set(number, id)
      }
    },
    decode: (id) => {
      const place = joinHalves(permutation.backward(toWord(id)))
      if (place >> ROW_NUMBER_BITS >= WORDS_PER_NUMBER) return undefined
      const number = Number(BigInt.asUintN(Number(ROW_NUMBER_BITS), place))
      // two ids of one resource would break caches and comparisons: only the canonical one counts
      return (cached.get(number) ?? firstDecentId(number, permutation)) === id ? number : undefined
    },
  }
}

/** That all sixteen words of a number are refused is practically impossible; the last one would be used. */
const firstDecentId = (number: number, permutation: WordPermutation): string => {
  let id = ''
  for (let attempt = 0; attempt < WORDS_PER_NUMBER; attempt += 1) {
    const place = BigInt(number) + (BigInt(attempt) << ROW_NUMBER_BITS)
    id = toText(permutation.forward(splitHalves(place)))
    if (!OFFENSIVE.test(id)) return id
  }
  return id
}

const toRowNumber = (number: number | bigint): number => {
  const value = Number(number)
  if (!Number.isInteger(value) || value < 0 || value > ROW_NUMBER_MAX) {
    throw new RangeError(`not a row number: ${number}`)
  }
  return value
}

const splitHalves = (place: bigint): Word => ({
  left: Number(place / HALF_COUNT),
  right: Number(place % HALF_COUNT),
})

/** The remainder and what is left are exact in doubles, as the quotient alone would not be. */
const splitNumber = (number: number): Word => {
  const right = number % HALF
  return { left: (number - right) / HALF, right }
}

const joinHalves = ({ left, right }: Word): bigint => BigInt(left) * HALF_COUNT + BigInt(right)

const toText = ({ left, right }: Word): string => lettersOf(left) + lettersOf(right)

const toWord = (id: string): Word => ({
  left: numberOf(id.slice(0, HALF_LENGTH)),
  right: numberOf(id.slice(HALF_LENGTH)),
})

/** Two numerals at once. */
const PAIRS = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second))

const lettersOf = (half: number): string => {
  const last = half % PAIRS.length
  const rest = (half - last) / PAIRS.length
  const middle = rest % PAIRS.length
  return LETTERS.charAt((rest - middle) / PAIRS.length) + (PAIRS[middle] ?? '') + (PAIRS[last] ?? '')
}

const numberOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * RADIX + LETTERS.indexOf(letter), 0)
