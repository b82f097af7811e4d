/**
 * The curve of the year: how much was sold in each month, and how large the orders were.
 */
import { credentials, lastYear, print, queryMetrics, requireOk, tokenFor } from './shared/merx.mjs'

const { client_id, client_secret } = credentials.integration_read_only
const token = await tokenFor({ client_id, client_secret })

const answer = requireOk(
  await queryMetrics(
    'date_breakdown',
    {
      date_breakdown: {
        by: 'order.placed_at',
        field: 'order.total_amount_with_taxes',
        operator: 'stats',
        interval: 'month',
      },
      filter: { order: lastYear() },
    },
    token,
  ),
)

print({ months: answer.data.map(({ date, value }) => ({ month: date.slice(0, 7), ...value })) })
