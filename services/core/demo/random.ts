/** A seeded source of randomness (sfc32, PractRand-tested), so that two loads of one seed make the same shop. */
import { createHash } from 'node:crypto'

export interface Random {
  /** 0 ≤ x < 1, 32 bits. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** One of the items, as often as its weight says. */
  weighted<T>(items: readonly (readonly [item: T, weight: number])[]): T
  /** Another source, independent of how much was drawn here. */
  fork(name: string): Random
}

export const createRandom = (seed: string): Random => {
  const digest = createHash('sha256').update(seed).digest()
  let a = digest.readUInt32LE(0)
  let b = digest.readUInt32LE(4)
  let c = digest.readUInt32LE(8)
  let counter = 1
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)]
    if (item === undefined) throw new RangeError('there is nothing to pick from')
    return item
  }
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick,
    weighted: (items) => {
      let left = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        left -= weight
        if (left < 0) return item
      }
      return pick(items)[0]
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  }
}

/** Draws positions 0 … size - 1 with a long tail: a few come often, most seldom (Zipf with the given exponent). */
export const skewed = (size: number, exponent: number): ((random: Random) => number) => {
  const cumulative = new Float64Array(size)
  let sum = 0
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 1) ** exponent
    cumulative[rank] = sum
  }
  return (random) => {
    const target = random.next() * sum
    let low = 0
    let high = size - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((cumulative[middle] ?? 0) <= target) low = middle + 1
      else high = middle
    }
    return low
  }
}
