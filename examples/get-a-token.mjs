/**
 * A storefront opens: it has a public client id and no secret, and says which market it sells in.
 * The answer is a token for guests that is good for four hours.
 */
import { credentials, market, print, requestToken } from './shared/merx.mjs'

const { status, body } = await requestToken({
  grant_type: 'client_credentials',
  client_id: credentials.sales_channel.client_id,
  scope: `market:code:${market.code}`,
})

const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url'))
print({
  status,
  token_type: body.token_type,
  expires_in: body.expires_in,
  scope: body.scope,
  application: claims.application.kind,
  market: claims.market.id,
})
