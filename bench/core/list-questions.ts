/** The requests whose cost must not grow with the shop. */
import { getAs, listPage, PAGE_SIZE, skusPage } from '@merx/core/load/core-requests'
import { encodeId } from '@merx/core/load/load-ids'
import type { LoadedCore } from '@merx/core/load/start-core'
import { exchange } from '@merx/load/exchange'
import type { LoadRequest } from '@merx/load/exchange'
import type { Client } from 'undici'

export interface Question {
  readonly name: string
  readonly request: LoadRequest
  /** Whether its cost must not grow; middle pages in another order than that of ids read what is in front of them. */
  readonly isFlat: boolean
}

const START = { 'filter[q][code_start]': 'A' }

/** What the list says of its length. @throws Error when it is not answered with 200. */
export const countOf = async (client: Client, request: LoadRequest): Promise<number> => {
  const { status, body = '' } = await exchange(client, request, true)
  if (status !== 200) throw new Error(`${request.path} answers ${status}: ${body.slice(0, 300)}`)
  return (JSON.parse(body) as { meta: { record_count: number } }).meta.record_count
}

export const listQuestions = async (
  { target, skus }: LoadedCore,
  client: Client,
): Promise<readonly Question[]> => {
  const { marketToken, switchedMarketToken, adminToken, ids } = target.facts
  const all = await countOf(client, skusPage(marketToken, 1))
  const switched = await countOf(client, skusPage(switchedMarketToken, 1))
  const started = await countOf(client, skusPage(marketToken, 1, START))
  return [
    ...pagesOf('market in scope', marketToken, all),
    ...pagesOf('market with a switched price list in scope', switchedMarketToken, switched),
    ...growing(pagesOf('market in scope, code_start=A', marketToken, started, START)),
    ...pagesOf('no scope', adminToken, skus),
    {
      name: 'retrieve with prices and stock items',
      request: getAs(marketToken, `/api/skus/${ids.sku}`, { include: 'prices,stock_items' }),
      isFlat: true,
    },
  ]
}

/** A prefix of codes costs what matches it. */
const growing = (questions: readonly Question[]): readonly Question[] =>
  questions.map((question) => ({ ...question, isFlat: false }))

/** Lists of other types, and lists in another order than that of ids. */
export const otherQuestions = async (core: LoadedCore, client: Client): Promise<readonly Question[]> => {
  const { marketToken, adminToken } = core.target.facts
  const listed = async (type: string, token: string, query: Readonly<Record<string, string>> = {}) => {
    const first = listPage(type, token, 1, query)
    const words = [type, token === marketToken ? 'market in scope' : 'no scope', ...Object.values(query)]
    return pagesOf(words.join(', '), token, await countOf(client, first), query, type)
  }
  const lists: (readonly Question[])[] = []
  for (const type of ['prices', 'stock_items', 'customers', 'addresses', 'orders', 'line_items']) {
    lists.push(await listed(type, adminToken), await listed(type, adminToken, { sort: '-created_at' }))
  }
  for (const type of ['prices', 'stock_items']) lists.push(await listed(type, marketToken))
  lists.push(await listed('skus', adminToken, { sort: 'code' }))
  const owners = [
    `price_lists/${encodeId('price_lists', 1)}/prices`,
    `stock_locations/${encodeId('stock_locations', 1)}/stock_items`,
  ]
  for (const type of owners) lists.push(await listed(type, adminToken))
  return [...lists.flat(), ...narrowed(core)]
}

/** Filters that few rows match, however many there are. */
const narrowed = ({ target: { facts } }: LoadedCore): readonly Question[] => {
  const code = 'BA00-00000001'
  const filters: readonly (readonly [string, string, string])[] = [
    ['skus', 'code_eq', code],
    ['skus', 'reference_eq', 'elsewhere'],
    ['skus', 'updated_at_gt', '2099-01-01'],
    ['prices', 'sku_code_eq', code],
    ['prices', 'sku_code_in', code],
    ['stock_items', 'sku_code_eq', code],
    ['customers', 'email_eq', 'customer-1@example.com'],
    ['orders', 'number_eq', '1'],
    ['orders', 'customer_email_eq', 'customer-1@example.com'],
  ]
  return filters.map(([type, filter, value]) => ({
    name: `${type}, ${filter}`,
    request: listPage(type, facts.adminToken, 1, { [`filter[q][${filter}]`]: value }),
    isFlat: true,
  }))
}

const pagesOf = (
  name: string,
  token: string,
  count: number,
  query: Readonly<Record<string, string>> = {},
  type = 'skus',
): readonly Question[] => {
  const last = Math.ceil(count / PAGE_SIZE)
  const page = (number: number): LoadRequest => listPage(type, token, number, query)
  return [
    { name: `${name}, first page`, request: page(1), isFlat: true },
    { name: `${name}, middle page`, request: page(Math.ceil(last / 2)), isFlat: query['sort'] === undefined },
    { name: `${name}, last page`, request: page(last), isFlat: true },
  ]
}
