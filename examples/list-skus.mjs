/**
 * A storefront shows everything that is sold in its market, page by page, following links.next until there is none.
 */
import { getCore, market, print, requireOk, storefrontToken } from './shared/merx.mjs'

const token = await storefrontToken(`market:code:${market.code}`)

let page = requireOk(await getCore('skus', token, { 'page[size]': 25, sort: 'code', 'fields[skus]': 'code' }))
const { record_count, page_count } = page.meta
const codes = page.data.map(({ attributes }) => attributes.code)
let pages = 1
while (page.links.next !== undefined) {
  page = requireOk(await getCore(page.links.next, token))
  codes.push(...page.data.map(({ attributes }) => attributes.code))
  pages += 1
}

print({
  market: market.code,
  record_count,
  page_count,
  pages,
  received: codes.length,
  first: codes.at(0),
  last: codes.at(-1),
})
