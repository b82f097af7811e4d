/**
 * A customer signs in to the storefront with email and password, and sees nobody's orders but their own.
 */
import { credentials, environment, getCore, market, print, requestToken, requireOk } from './shared/merx.mjs'

const { email, password } = environment.customer
const signedIn = requireOk(
  await requestToken({
    grant_type: 'password',
    client_id: credentials.sales_channel.client_id,
    username: email,
    password,
    scope: `market:code:${market.code}`,
  }),
)

const orders = requireOk(
  await getCore(`customers/${signedIn.owner_id}/orders`, signedIn.access_token, {
    sort: '-placed_at',
    'fields[orders]': 'number,status,formatted_total_amount_with_taxes',
    'page[size]': 3,
  }),
)

print({
  customer: email,
  owner_type: signedIn.owner_type,
  has_refresh_token: signedIn.refresh_token !== undefined,
  orders: orders.meta.record_count,
  latest: orders.data.map(({ attributes }) => attributes),
})
