/**
 * A shop on the high street puts its store in scope: the market comes with it, and what only the store has on its own
 * shelves can be sold too.
 */
import { environment, getCore, print, requireOk, storefrontToken } from './shared/merx.mjs'

const open = new Set(environment.markets.filter((market) => !market.private).map(({ id }) => id))
const stores = environment.stores.filter(({ market_id }) => open.has(market_id))

const count = async (scope) =>
  requireOk(await getCore('skus', await storefrontToken(scope), { 'page[size]': 1 })).meta.record_count

const [store] = stores
print({
  store: store.code,
  skus_with_the_store_in_scope: await count(`store:code:${store.code}`),
  skus_with_its_market_in_scope: await count(`market:id:${store.market_id}`),
})
