/**
 * Two numbers for a dashboard: how many orders had a discounted line this year, and what an order was worth on average.
 */
import { credentials, lastYear, print, queryMetrics, requireOk, tokenFor } from './shared/merx.mjs'

const { client_id, client_secret } = credentials.integration_read_only
const token = await tokenFor({ client_id, client_secret })

const ask = async (field, operator, filter = {}) => {
  const body = { stats: { field, operator }, filter: { order: lastYear(), ...filter } }
  return requireOk(await queryMetrics('stats', body, token)).data.value
}

print({
  orders: await ask('order.id', 'value_count'),
  orders_with_a_discount: await ask('order.id', 'value_count', { line_items: { discount: { lt: 0 } } }),
  average_order: await ask('order.total_amount_with_taxes', 'avg'),
})
