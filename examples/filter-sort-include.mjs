/**
 * A product page wants the newest products of one kind with their prices, and only the fields it shows.
 */
import { getCore, market, print, requireOk, storefrontToken } from './shared/merx.mjs'

const token = await storefrontToken(`market:code:${market.code}`)
const answer = requireOk(
  await getCore('skus', token, {
    'filter[q][name_cont]': 'a',
    'filter[q][created_at_lt]': new Date().toISOString(),
    sort: '-created_at,code',
    include: 'prices',
    'fields[skus]': 'code,name,prices',
    'fields[prices]': 'currency_code,formatted_amount',
    'page[size]': 3,
  }),
)

const prices = new Map(answer.included.map((price) => [price.id, price.attributes]))
print({
  matching: answer.meta.record_count,
  skus: answer.data.map(({ attributes, relationships }) => ({
    ...attributes,
    prices: relationships.prices.data.map(({ id }) => prices.get(id)),
  })),
})
