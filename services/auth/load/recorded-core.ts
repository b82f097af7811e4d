/** What core answered, as data, and how a question about scopes finds its answer in it. */
import recorded from './recorded-core.json' with { type: 'json' }

/** Answers of one environment of core. */
export const recording = recorded

interface Reference {
  readonly type: 'market' | 'store' | 'stock_location'
  readonly by: 'id' | 'code'
  readonly value: string
}

/** The body of POST /internal/scopes/resolve, as far as it decides the answer. */
export interface ScopesQuestion {
  readonly references: readonly Reference[]
}

const LISTS = {
  market: recorded.markets,
  store: recorded.stores,
  stock_location: recorded.stock_locations,
} as const satisfies Record<Reference['type'], readonly { id: string; code: string }[]>

const findId = ({ type, by, value }: Reference): string | null => {
  const list: readonly { id: string; code: string }[] = LISTS[type]
  return list.find((each) => each[by] === value)?.id ?? null
}

/** The body of the answer: as core gives it, for markets, stores and stock locations that were recorded. */
export const answerScopes = ({ references }: ScopesQuestion) => {
  const found = references.map((reference) => ({ ...reference, id: findId(reference) }))
  const ids = new Set(found.map(({ id }) => id))
  const stores = recorded.stores.filter(({ id }) => ids.has(id))
  const marketIds = new Set([...ids, ...stores.map((store) => store.market_id)])
  return {
    references: found,
    markets: recorded.markets.filter(({ id }) => marketIds.has(id)),
    stores,
    stock_locations: recorded.stock_locations.filter(({ id }) => ids.has(id)),
  }
}
