/** What core answered, as data, and how a question about scopes finds its answer in it. */
import { readFileSync } from 'node:fs'

interface Recording {
  readonly markets: readonly { readonly id: string; readonly code: string }[]
  readonly stores: readonly { readonly id: string; readonly code: string; readonly market_id: string }[]
  readonly stock_locations: readonly { readonly id: string; readonly code: string }[]
  readonly customer: {
    readonly id: string
    readonly email: string
    readonly customer_group_id: null
    readonly password_mark: string
    readonly password_set_at: number
  }
  readonly password: string
  readonly password_hash: string
}

/** Answers of one environment of core. */
export const recording = JSON.parse(
  readFileSync(new URL('./recorded-core.json', import.meta.url), 'utf8'),
) as Recording

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
  market: recording.markets,
  store: recording.stores,
  stock_location: recording.stock_locations,
} as const satisfies Record<Reference['type'], readonly { id: string; code: string }[]>

const findId = ({ type, by, value }: Reference): string | null => {
  const list: readonly { id: string; code: string }[] = LISTS[type]
  return list.find((each) => each[by] === value)?.id ?? null
}

/** The body of the answer: as core gives it, for markets, stores and stock locations that were recording. */
export const answerScopes = ({ references }: ScopesQuestion) => {
  const found = references.map((reference) => ({ ...reference, id: findId(reference) }))
  const ids = new Set(found.map(({ id }) => id))
  const stores = recording.stores.filter(({ id }) => ids.has(id))
  const marketIds = new Set([...ids, ...stores.map((store) => store.market_id)])
  return {
    references: found,
    markets: recording.markets.filter(({ id }) => marketIds.has(id)),
    stores,
    stock_locations: recording.stock_locations.filter(({ id }) => ids.has(id)),
  }
}
