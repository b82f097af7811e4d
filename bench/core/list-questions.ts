/** The requests whose cost must not grow with the shop. */
import { getAs, skusPage } from '@merx/core/load/core-requests'
import type { LoadedCore } from '@merx/core/load/start-core'
import { exchange } from '@merx/load/exchange'
import type { LoadRequest } from '@merx/load/exchange'
import type { Client } from 'undici'

export interface Question {
  readonly name: string
  readonly request: LoadRequest
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
  const { marketToken, adminToken, ids } = target.facts
  const all = await countOf(client, skusPage(marketToken, 1))
  const started = await countOf(client, skusPage(marketToken, 1, START))
  return [
    ...pagesOf('market in scope', marketToken, all),
    ...pagesOf('market in scope, code_start=A', marketToken, started, START),
    ...pagesOf('no scope', adminToken, skus),
    {
      name: 'retrieve with prices and stock items',
      request: getAs(marketToken, `/api/skus/${ids.sku}`, { include: 'prices,stock_items' }),
    },
  ]
}

const pagesOf = (name: string, token: string, count: number, query = {}): readonly Question[] => {
  const last = Math.ceil(count / 25)
  return [
    { name: `${name}, first page`, request: skusPage(token, 1, query) },
    { name: `${name}, middle page`, request: skusPage(token, Math.ceil(last / 2), query) },
    { name: `${name}, last page`, request: skusPage(token, last, query) },
  ]
}
