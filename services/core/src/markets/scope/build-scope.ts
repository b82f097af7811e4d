/** Caller and what the database says now → request scope. Pure; rules 1, 2, 5, 6, 8 and 9 of the contract's scopes. */
import type { Caller } from '@merx/access-token/caller'
import type { PublicIds } from '@merx/jsonapi/public-id'
import { isSalesChannel } from '../../access/caller-kinds.ts'
import type { MarketFacts, MarketScope, RequestScope, ScopeFacts } from '../../access/request-scope.ts'
import { restrictionsOf } from '../../access/restrictions.ts'
import { customerOf, scopeReferences } from './scope-references.ts'

/** The only location that ships with this strategy is the first one (lifecycles.md 4.2). */
const ONE_LOCATION_STRATEGY = 'no_split'

/** Disabled markets drop out (rule 2); a store that is gone leaves nothing to see. */
export const buildScope = (caller: Caller, facts: ScopeFacts, ids: PublicIds): RequestScope => {
  const references = scopeReferences(caller, ids)
  const markets = references.markets === undefined ? undefined : activeMarkets(facts, references.storeId)
  const stockLocationId = references.stockLocationId
  const first = markets?.[0]
  const customerId = customerOf(caller, ids)
  const restrictions = restrictionsOf(caller)
  return {
    environmentId: facts.environmentId,
    organizationId: caller.organization.id,
    mode: caller.mode,
    ...(restrictions === undefined ? {} : { restrictions }),
    ...(markets === undefined
      ? {}
      : { markets: markets.map((market) => toMarketScope(market, facts, stockLocationId)) }),
    ...(references.storeId === undefined ? {} : { storeId: references.storeId }),
    ...(first === undefined
      ? {}
      : { inventory: { stockLocationIds: inventoryOf(first, facts, stockLocationId) } }),
    ...(isSalesChannel(caller)
      ? {
          salesChannel: {
            seesGuestOrdersOnly: facts.seesGuestOrdersOnly,
            ...(customerId === undefined ? {} : { customerId }),
          },
        }
      : {}),
  }
}

/** With a store in scope its market is the only one (rule 5). */
const activeMarkets = ({ markets, store }: ScopeFacts, storeId: number | undefined): readonly MarketFacts[] =>
  markets.filter(({ id, isDisabled }) => !isDisabled && (storeId === undefined || store?.marketId === id))

const toMarketScope = (
  market: MarketFacts,
  { store }: ScopeFacts,
  stockLocationId: number | undefined,
): MarketScope => {
  const own = store?.stockLocationId ?? undefined
  const locations = own === undefined ? market.stockLocationIds : withFirst(own, market.stockLocationIds)
  return {
    id: market.id,
    priceListId: market.priceListId,
    currencyCode: market.currencyCode,
    stockLocationIds: restrict(locations, stockLocationId),
    ...(market.hasExternalPrices ? { hasExternalPrices: true } : {}),
  }
}

/**
 * Rule 6: the store's location is the first, and one location more than the cutoff counts. A location in scope (rule 8)
 * is looked at wherever it stands in the order.
 */
const inventoryOf = (
  market: MarketFacts,
  { store }: ScopeFacts,
  stockLocationId: number | undefined,
): readonly number[] => {
  const own = store?.stockLocationId ?? undefined
  const ordered = own === undefined ? market.stockLocationIds : withFirst(own, market.stockLocationIds)
  const cutoff = market.stockLocationsCutoff + (own === undefined ? 0 : 1)
  const counted = restrict(ordered, stockLocationId).slice(0, cutoff)
  return market.strategy === ONE_LOCATION_STRATEGY ? counted.slice(0, 1) : counted
}

const withFirst = (first: number, others: readonly number[]): readonly number[] => [
  first,
  ...others.filter((id) => id !== first),
]

/** Rule 8: only the location in scope, and only while it belongs to the market. */
const restrict = (locations: readonly number[], only: number | undefined): readonly number[] =>
  only === undefined ? locations : locations.filter((id) => id === only)
