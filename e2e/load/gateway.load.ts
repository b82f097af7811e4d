import { readFileSync } from 'node:fs'
import type { CallerOf } from '@merx/load/closed-loop'
import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'
import type { LoadOperation, LoadScenario, LoadTarget } from '@merx/load/scenario'
import { openLab, type Lab } from '../faults/support/lab.ts'
import { SERVICES } from '../faults/support/service-process.ts'
import { JSON_API, METRICS_ACCEPT } from '../support/connect.ts'
import { first, type Credential } from '../support/demo.ts'
import { ALL_TIME } from '../support/every-order.ts'
import type { TokenBody } from '../support/wire.ts'

const PAGES_SEEN = 20
const BYTES_PER_KB = 1_024

/** Resident memory as Linux tells it; a process that has ended holds none. */
const residentBytes = (pid: number): number => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * BYTES_PER_KB
}

/** Everything that a service holds, all three together. */
const targetOf = ({ addresses, services }: Lab): LoadTarget => ({
  url: addresses.core,
  sample: () => {
    const pids = SERVICES.flatMap((name) => services[name].pid() ?? [])
    return Promise.resolve({ rssBytes: pids.reduce((sum, pid) => sum + residentBytes(pid), 0) })
  },
  resetLag: () => undefined,
})

/** Both sides of the gateway on one port: the name says which. */
const askToken = (host: string, body: object): LoadRequest => ({
  method: 'POST',
  path: '/oauth/token',
  headers: { host, accept: 'application/json', 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

type Answered = (answer: LoadAnswer) => void

/** Asks for its token first, and then what it is there for. */
const signedIn =
  (
    token: LoadRequest,
    work: (connection: number) => {
      readonly next: (token: string) => LoadRequest
      readonly onAnswer?: Answered
    },
  ): CallerOf =>
  (connection) => {
    const { next, onAnswer } = work(connection)
    let granted: string | undefined
    return {
      next: () => (granted === undefined ? token : next(granted)),
      onAnswer: (answer) => {
        if (granted !== undefined) onAnswer?.(answer)
        else if (answer.status === 200) granted = (JSON.parse(answer.body ?? '{}') as TokenBody).access_token
      },
    }
  }

const get = (token: string, path: string): LoadRequest => ({
  method: 'GET',
  path: `/api/${path}`,
  headers: { accept: JSON_API, authorization: `Bearer ${token}` },
})

const post = (token: string, type: string, data: object): LoadRequest => ({
  method: 'POST',
  path: `/api/${type}`,
  headers: { accept: JSON_API, 'content-type': JSON_API, authorization: `Bearer ${token}` },
  body: JSON.stringify({ data: { type, ...data } }),
})

const query = (token: string, path: string, body: object): LoadRequest => ({
  method: 'POST',
  path: `/metrics/${path}`,
  headers: { accept: METRICS_ACCEPT, 'content-type': JSON_API, authorization: `Bearer ${token}` },
  body: JSON.stringify({ ...body, filter: { order: { ...ALL_TIME, date_field: 'created_at' } } }),
})

interface One {
  readonly id: string
}
type Listed = readonly One[]

/** A page of a shop, then two of its articles, and so on. */
const browsing = (connection: number) => {
  let page = connection
  let seen: string[] = []
  return {
    next: (token: string): LoadRequest => {
      const id = seen.shift()
      if (id !== undefined) return get(token, `skus/${id}?include=prices`)
      page += 1
      return get(token, `skus?page%5Bsize%5D=10&page%5Bnumber%5D=${1 + (page % PAGES_SEEN)}`)
    },
    onAnswer: ({ body = '{}' }: LoadAnswer): void => {
      const { data } = JSON.parse(body) as { readonly data?: Listed | One }
      if (data !== undefined && 'length' in data) seen = data.slice(0, 2).map(({ id }) => id)
    },
  }
}

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

const QUESTIONS: readonly (readonly [string, object])[] = [
  ['orders/stats', { stats: { field: 'order.total_amount_with_taxes', operator: 'sum' } }],
  [
    'orders/breakdown',
    { breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' } },
  ],
  [
    'orders/date_breakdown',
    {
      date_breakdown: {
        by: 'order.placed_at',
        field: 'order.total_amount_with_taxes',
        operator: 'sum',
        interval: 'month',
      },
    },
  ],
  ['carts/breakdown', { breakdown: { by: 'market.name', field: 'order.id', operator: 'value_count' } }],
]

const watching = (connection: number) => {
  let turn = connection
  return {
    next: (token: string): LoadRequest => {
      const [path, body] = QUESTIONS[turn++ % QUESTIONS.length] as (typeof QUESTIONS)[number]
      return query(token, path, body)
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
