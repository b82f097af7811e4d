/**
 * The question of every Monday: where did the money come from this year? A breakdown of orders by country.
 */
import { credentials, lastYear, print, queryMetrics, requireOk, tokenFor } from './shared/merx.mjs'

const { client_id, client_secret } = credentials.integration_read_only
const token = await tokenFor({ client_id, client_secret })

const answer = requireOk(
  await queryMetrics(
    'breakdown',
    {
      breakdown: {
        by: 'order.country_code',
        field: 'order.total_amount_with_taxes',
        operator: 'sum',
        sort: 'desc',
        limit: 5,
        condition: { gt: 0 },
      },
      filter: { order: lastYear() },
    },
    token,
  ),
)

print({ mode: answer.meta.mode, top_countries: answer.data['order.country_code'] })
