/** A small seeded generator (mulberry32), so that a failing case can be run again. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number
  /** An integer, both bounds included. */
  int(min: number, max: number): number
  pick<T>(items: readonly T[]): T
  chance(probability: number): boolean
  /** Up to `max` different items. */
  some<T>(items: readonly T[], max: number): readonly T[]
}

export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(items: readonly T[]): T => {
    const item = items[int(0, items.length - 1)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const some = <T>(items: readonly T[], max: number): readonly T[] => {
    const left = [...items]
    const count = Math.min(left.length, int(1, max))
    return Array.from({ length: count }, () => left.splice(int(0, left.length - 1), 1)).flat()
  }
  return { next, int, pick, chance: (probability) => next() < probability, some }
}
