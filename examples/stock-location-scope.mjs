/**
 * A market that delivers from several warehouses looks at one of them: a stock location in scope leaves only what is
 * there. Without a market it is a 400.
 */
import {
  credentials,
  environment,
  getCore,
  print,
  requestToken,
  requireOk,
  storefrontToken,
} from './shared/merx.mjs'

const market = environment.markets.find(
  ({ id, private: isPrivate }) =>
    !isPrivate && environment.stock_locations.filter(({ market_ids }) => market_ids.includes(id)).length > 1,
)
const locations = environment.stock_locations.filter(({ market_ids }) => market_ids.includes(market.id))

const count = async (scope) =>
  requireOk(await getCore('skus', await storefrontToken(scope), { 'page[size]': 1 })).meta.record_count

const [location] = locations
const refused = await requestToken({
  grant_type: 'client_credentials',
  client_id: credentials.sales_channel.client_id,
  scope: `stock_location:code:${location.code}`,
})

print({
  market: market.code,
  skus: await count(`market:id:${market.id}`),
  stock_location: location.code,
  skus_there: await count(`market:id:${market.id} stock_location:code:${location.code}`),
  without_a_market: { status: refused.status, error: refused.body.error_description },
})
