/** Which stock locations count for a market, best first (lifecycles.md 4.1; contract, Scopes rules 6 and 8). Pure. */

/** The only location that ships with this strategy is the first one (lifecycles.md 4.2). */
export const ONE_LOCATION_STRATEGY = 'no_split'

export interface LocationRanking {
  readonly strategy: string
  readonly cutoff: number
  /** Of the inventory model, by priority. */
  readonly listed: readonly number[]
  /** Of the store; it comes first, and one location more than the cutoff counts. */
  readonly own: number | null | undefined
  /** The only one that counts, wherever it stands in the order. */
  readonly only: number | undefined
}

/** The location of the store, then those of the inventory model by priority; all of them, or only the one in scope. */
export const rankedLocations = ({
  listed,
  own,
  only,
}: Pick<LocationRanking, 'listed' | 'own' | 'only'>): readonly number[] => {
  const ranked = typeof own === 'number' ? [own, ...listed.filter((id) => id !== own)] : listed
  return only === undefined ? ranked : ranked.filter((id) => id === only)
}

/** Those of them that goods are taken from. */
export const countedLocations = (ranking: LocationRanking): readonly number[] => {
  const most = ranking.cutoff + (typeof ranking.own === 'number' ? 1 : 0)
  return rankedLocations(ranking).slice(0, ranking.strategy === ONE_LOCATION_STRATEGY ? 1 : most)
}
