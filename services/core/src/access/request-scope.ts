/** The scope of one request: its environment, and the markets and store that its token narrows it to (contract, Scopes). */
import type { Caller, Mode } from '@merx/access-token/caller'
import type { CallerRestrictions } from './restrictions.ts'

/** A market in scope as it is now, with the stock locations that count for it. */
export interface MarketScope {
  readonly id: number
  /** The list in force. */
  readonly priceListId: number
  /** What has the prices that the list in force lacks; only there while another list than the base list is in force. */
  readonly basePriceListId?: number
  readonly currencyCode: string
  /** Of its inventory model, plus that of the store in scope, or only the stock location in scope. */
  readonly stockLocationIds: readonly number[]
  /** Its prices come from an external service, so a SKU needs none in the price list to be sellable. */
  readonly hasExternalPrices?: true
}

/** The locations that `skus.inventory` counts, best first. */
export interface InventoryScope {
  readonly stockLocationIds: readonly number[]
}

export interface RequestScope {
  readonly environmentId: number
  readonly organizationId: string
  readonly mode: Mode
  /** Undefined: not narrowed to markets. Empty: every market in scope is disabled or gone, so nothing is seen. */
  readonly markets?: readonly MarketScope[]
  readonly storeId?: number
  readonly inventory?: InventoryScope
  /** The stock location in scope (contract, Scopes rule 8). */
  readonly stockLocationId?: number
  /** Present for sales channels, whose reads have limits of their own (auth.md 9.3, 9.4). */
  readonly salesChannel?: {
    /** The customer the token speaks for; a guest otherwise. */
    readonly customerId?: number
    /** Setting `orders_sales_channel_guest_only`. */
    readonly seesGuestOrdersOnly: boolean
  }
  /** What narrows the caller's permissions; absent when nothing does. */
  readonly restrictions?: CallerRestrictions | undefined
}

/** What the database says now about the markets, store and environment a token refers to. */
export interface ScopeFacts {
  readonly environmentId: number
  readonly seesGuestOrdersOnly: boolean
  readonly markets: readonly MarketFacts[]
  /** Undefined when no store is in scope or it is gone. */
  readonly store?: { readonly id: number; readonly marketId: number; readonly stockLocationId: number | null }
}

export interface MarketFacts {
  readonly id: number
  readonly priceListId: number
  readonly basePriceListId: number | null
  readonly currencyCode: string
  readonly isDisabled: boolean
  readonly hasExternalPrices: boolean
  readonly strategy: string
  readonly stockLocationsCutoff: number
  /** Of the inventory model, by priority. */
  readonly stockLocationIds: readonly number[]
}

/** What the caller's token shows now; it is read for each request. */
export type ReadScope = (caller: Caller) => Promise<{ readonly scope: RequestScope }>
