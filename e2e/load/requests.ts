/** What the load tests of the whole system share: requests, callers that sign in first, and what is measured. */
import { readFileSync } from 'node:fs'
import type { CallerOf } from '@merx/load/closed-loop'
import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'
import type { LoadTarget } from '@merx/load/scenario'
import type { Lab } from '../faults/support/lab.ts'
import { SERVICES } from '../faults/support/service-process.ts'
import { JSON_API, METRICS_ACCEPT } from '../support/connect.ts'
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
export const targetOf = ({ addresses, services }: Lab): LoadTarget => ({
  url: addresses.core,
  sample: () => {
    const pids = SERVICES.flatMap((name) => services[name].pid() ?? [])
    return Promise.resolve({ rssBytes: pids.reduce((sum, pid) => sum + residentBytes(pid), 0) })
  },
  resetLag: () => undefined,
})

/** Both sides of the gateway on one port: the name says which. */
export const askToken = (host: string, body: object): LoadRequest => ({
  method: 'POST',
  path: '/oauth/token',
  headers: { host, accept: 'application/json', 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

type Answered = (answer: LoadAnswer) => void

/** Asks for its token first, and then what it is there for. */
export const signedIn =
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

export const get = (token: string, path: string): LoadRequest => ({
  method: 'GET',
  path: `/api/${path}`,
  headers: { accept: JSON_API, authorization: `Bearer ${token}` },
})

export const post = (token: string, type: string, data: object): LoadRequest => ({
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
export const browsing = (connection: number) => {
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

export const watching = (connection: number) => {
  let turn = connection
  return {
    next: (token: string): LoadRequest => {
      const [path, body] = QUESTIONS[turn++ % QUESTIONS.length] as (typeof QUESTIONS)[number]
      return query(token, path, body)
    },
  }
}
