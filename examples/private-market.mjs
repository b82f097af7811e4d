/**
 * A market for members: its customer group decides who gets in. A guest is refused, a member signs in with a password.
 */
import { credentials, environment, getCore, print, requestToken, requireOk } from './shared/merx.mjs'

const { email, password, market_code } = environment.private_customer
const { client_id } = credentials.sales_channel
const scope = `market:code:${market_code}`

const guest = await requestToken({ grant_type: 'client_credentials', client_id, scope })
const member = requireOk(
  await requestToken({ grant_type: 'password', client_id, username: email, password, scope }),
)
const skus = requireOk(await getCore('skus', member.access_token, { 'page[size]': 1 }))

print({
  market: market_code,
  guest: { status: guest.status, error: guest.body.error },
  member: { email, skus: skus.meta.record_count },
})
