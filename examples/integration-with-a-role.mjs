/**
 * Two back-office programs put the same market in scope. The one with a custom role sees only that market;
 * the one with the admin role sees everything, because scopes act on integrations only through a custom role.
 */
import { credentials, getCore, market, print, requireOk, tokenFor } from './shared/merx.mjs'

const scope = `market:id:${market.id}`
const count = async (credential) => {
  const { client_id, client_secret } = credential
  const token = await tokenFor({ client_id, client_secret }, scope)
  return requireOk(await getCore('skus', token, { 'page[size]': 1 })).meta.record_count
}

print({
  scope,
  skus_with_a_custom_role: await count(credentials.integration_custom),
  skus_with_the_admin_role: await count(credentials.integration),
})
