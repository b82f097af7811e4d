/** Caller and what the database says now → request scope. Pure; rules 1, 2, 5, 6, 8 and 9 of the contract's scopes. */
import type { Caller } from '@merx/access-token/caller'
import type { PublicIds } from '@merx/jsonapi/public-id'
import { isSalesChannel } from '../../access/caller-kinds.ts'
import type { MarketFacts, MarketScope, RequestScope, ScopeFacts } from '../../access/request-scope.ts'
import { restrictionsOf } from '../../access/restrictions.ts'
import { countedLocations, rankedLocations } from '../../inventory/counted-locations.ts'
import type { LocationRanking } from '../../inventory/counted-locations.ts'
import { customerOf, scopeReferences } from './scope-references.ts'

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
      : { inventory: { stockLocationIds: countedLocations(rankingOf(first, facts, stockLocationId)) } }),
    ...(stockLocationId === undefined ? {} : { stockLocationId }),
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
  facts: ScopeFacts,
  stockLocationId: number | undefined,
): MarketScope => ({
  id: market.id,
  priceListId: market.priceListId,
  ...(market.basePriceListId === null || market.basePriceListId === market.priceListId
    ? {}
    : { basePriceListId: market.basePriceListId }),
  currencyCode: market.currencyCode,
  stockLocationIds: rankedLocations(rankingOf(market, facts, stockLocationId)),
  ...(market.hasExternalPrices ? { hasExternalPrices: true } : {}),
})

/** A location in scope that is not of the market leaves none (rule 8). */
const rankingOf = (
  { strategy, stockLocationsCutoff: cutoff, stockLocationIds: listed }: MarketFacts,
  { store }: ScopeFacts,
  only: number | undefined,
): LocationRanking => ({ strategy, cutoff, listed, own: store?.stockLocationId, only })
