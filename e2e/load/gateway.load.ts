import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'
import type { LoadOperation, LoadScenario } from '@merx/load/scenario'
import { openLab, type Lab } from '../faults/support/lab.ts'
import { first, type Credential } from '../support/demo.ts'
import { askToken, browsing, get, post, signedIn, targetOf, watching } from './requests.ts'

const LINES_OF_AN_ORDER = 4

/** An order, its lines, and the next one. */
const buying = (market: string) => (connection: number) => {
  let order: string | undefined
  let lines = 0
  return {
    next: (token: string): LoadRequest => {
      if (order === undefined)
        return post(token, 'orders', { relationships: { market: { data: { type: 'markets', id: market } } } })
      lines += 1
      return post(token, 'line_items', {
        attributes: { name: 'Work by hand', quantity: 1 + (lines % 3), unit_amount_cents: 100 + connection },
        relationships: { order: { data: { type: 'orders', id: order } } },
      })
    },
    onAnswer: ({ status, body = '{}' }: LoadAnswer): void => {
      const isBegun = order === undefined && status === 201
      if (isBegun) order = (JSON.parse(body) as { readonly data: { readonly id: string } }).data.id
      if (!isBegun && lines % LINES_OF_AN_ORDER === 0) order = undefined
    },
  }
}

const operationsOf = ({ demo }: Lab): readonly LoadOperation[] => {
  const { credentials, markets } = first(demo.organizations, 'organization').environments.test
  const market = first(markets, 'public market', (one) => !one.private)
  const host = `auth.${demo.domain}`
  const grant = ({ client_id, client_secret }: Credential): LoadRequest =>
    askToken(host, { grant_type: 'client_credentials', client_id, client_secret })
  const guest = askToken(host, {
    grant_type: 'client_credentials',
    client_id: credentials.sales_channel.client_id,
    scope: `market:id:${market.id}`,
  })
  const integration = grant(credentials.integration)
  return [
    { name: 'guest gets a token', weight: 10, callerOf: () => ({ next: () => guest }) },
    { name: 'integration gets a token', weight: 5, callerOf: () => ({ next: () => integration }) },
    { name: 'guest browses', weight: 45, callerOf: signedIn(guest, browsing) },
    { name: 'order filled', weight: 15, callerOf: signedIn(integration, buying(market.id)) },
    {
      name: 'newest orders',
      weight: 10,
      callerOf: signedIn(integration, () => ({
        next: (token) => get(token, 'orders?sort=-id&page%5Bsize%5D=10'),
      })),
    },
    { name: 'dashboard', weight: 15, callerOf: signedIn(integration, watching) },
  ]
}

export const scenario: LoadScenario = {
  summary:
    'Everything through nginx: auth, core and metrics as processes of their own, PostgreSQL, Redis and ClickHouse’s stand-in; guests who get a token and browse, orders that are filled, back offices and dashboards. Memory is that of the three services together.',
  open: async ({ defer, say }) => {
    say('starting the system')
    const lab = await openLab()
    defer(() => lab.close())
    return { target: targetOf(lab), operations: operationsOf(lab) }
  },
}
