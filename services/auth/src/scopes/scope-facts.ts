/** What core knows about the markets, stores and stock locations a scope names. Facts only; the rules are in scope-rules.ts. */
import type { ScopeReference } from '@merx/access-token/parse-scope'

export interface MarketFacts {
  readonly id: string
  readonly code: string | null
  readonly isDisabled: boolean
  /** Not null: the market is private to the customers of this group. */
  readonly customerGroupId: string | null
  readonly stockLocationIds: readonly string[]
  readonly geocoderId: string | null
  readonly allowsExternalPrices: boolean
}

export interface StoreFacts {
  readonly id: string
  readonly code: string | null
  readonly marketId: string
  readonly stockLocationId: string | null
}

export interface StockLocationFacts {
  readonly id: string
  readonly code: string | null
  readonly marketIds: readonly string[]
}

export interface ResolvedReference extends ScopeReference {
  /** Null: no such resource in this environment. */
  readonly id: string | null
}

export interface ScopeFacts {
  readonly references: readonly ResolvedReference[]
  /** Also holds the market of each store. */
  readonly markets: readonly MarketFacts[]
  readonly stores: readonly StoreFacts[]
  readonly stockLocations: readonly StockLocationFacts[]
}

export const NO_FACTS: ScopeFacts = { references: [], markets: [], stores: [], stockLocations: [] }
