/** Reproducible randomness for generated requests: one seed, one sequence. */

export interface Random {
  /** 0 ≤ x < 1. */
  readonly next: () => number
  /** Whole number, 0 ≤ n < limit. */
  readonly below: (limit: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(list: readonly T[]) => T
  /** The same elements in another order. */
  readonly shuffle: <T>(list: readonly T[]) => T[]
  /** Between min and max results of `make`. */
  readonly many: <T>(min: number, max: number, make: () => T) => T[]
}

/** mulberry32: small, fast, good enough to choose test cases. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <T>(list: readonly T[]): T => {
    const found = list[below(list.length)]
    if (found === undefined && list.length === 0) throw new Error('nothing to pick from')
    return found as T
  }
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick,
    shuffle: (list) =>
      list
        .map((element) => ({ element, place: next() }))
        .sort((one, other) => one.place - other.place)
        .map(({ element }) => element),
    many: (min, max, make) => Array.from({ length: min + below(max - min + 1) }, make),
  }
}
