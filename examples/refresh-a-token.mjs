/**
 * "Remember me": the refresh token of a customer gives a new access token and a new refresh token; the old one is
 * spent. Whoever comes with a spent one later may be a thief, so everything that came of it ends.
 */
import { credentials, environment, market, print, requestToken, requireOk } from './shared/merx.mjs'

const { client_id } = credentials.sales_channel
const first = requireOk(
  await requestToken({
    grant_type: 'password',
    client_id,
    username: environment.customer.email,
    password: environment.customer.password,
    scope: `market:code:${market.code}`,
  }),
)

const refresh = (refresh_token) => requestToken({ grant_type: 'refresh_token', client_id, refresh_token })
const second = requireOk(await refresh(first.refresh_token))
const third = requireOk(await refresh(second.refresh_token))
const again = await refresh(first.refresh_token)

print({
  is_new_access_token: second.access_token !== first.access_token,
  is_new_refresh_token: new Set([first, second, third].map((answer) => answer.refresh_token)).size === 3,
  is_same_customer: third.owner_id === first.owner_id,
  first_refresh_token_again: { status: again.status, error: again.body.error },
})
