/**
 * One mistake on each interface, and how it is answered: OAuth names on the authentication host, an errors list on the
 * core interface, one error object on the metrics interface.
 */
import { credentials, getCore, print, queryMetrics, requestToken, tokenFor } from './shared/merx.mjs'

const { client_id, client_secret } = credentials.integration
const token = await tokenFor({ client_id, client_secret })

print({
  auth: await requestToken({ grant_type: 'client_credentials', client_id, client_secret: 'mistyped' }),
  core: await getCore('skus', token, { 'page[size]': 26, sort: 'colour' }),
  metrics: await queryMetrics(
    'stats',
    { stats: { field: 'order.id', operator: 'value_count' }, filter: { order: { gift_card_code: 'X' } } },
    token,
  ),
})
