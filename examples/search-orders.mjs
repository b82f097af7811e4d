/**
 * The order desk looks through the latest orders, page by page: each answer has the cursor of the next.
 */
import { credentials, lastYear, print, queryMetrics, requireOk, tokenFor } from './shared/merx.mjs'

const { client_id, client_secret } = credentials.integration
const token = await tokenFor({ client_id, client_secret })

// A cursor belongs to its query, so every page is asked with the same range.
const filter = { order: lastYear() }
const pages = []
let cursor = null
do {
  const search = {
    fields: ['order.number', 'order.placed_at', 'order.total_amount_with_taxes', 'customer.email'],
    sort_by: 'order.placed_at',
    sort: 'desc',
    limit: 3,
    cursor,
  }
  const answer = requireOk(await queryMetrics('search', { search, filter }, token))
  pages.push(answer)
  cursor = answer.meta.pagination.cursor
} while (cursor !== null && pages.length < 3)

print({
  matching: pages[0].meta.pagination.record_count,
  orders: pages.flatMap(({ data }) => data),
})
