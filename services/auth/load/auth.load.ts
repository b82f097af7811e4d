import type { CallerOf } from '@merx/load/closed-loop'
import type { LoadRequest } from '@merx/load/exchange'
import type { LoadOperation, LoadScenario } from '@merx/load/scenario'
import { recording } from './recorded-core.ts'
import { openAuthSurroundings, type AuthTarget } from './start-auth.ts'
import {
  integrationTokenRequest,
  salesChannelTokenRequest,
  tokenInfoRequest,
  assertionTokenRequest,
  passwordTokenRequest,
  refreshTokenRequest,
  fetchKeys,
  introspect,
  revoke,
} from './token-requests.ts'

const INTEGRATIONS = 20
/** Of these customers, those who come back get the token they have; the others a new one. */
const CUSTOMERS = 5_000
const SCOPES = [
  'market:code:europe',
  'market:code:usa',
  'store:code:milan',
  `market:id:${recording.markets[0]?.id ?? ''}`,
]

interface TokenBody {
  readonly access_token?: string
  readonly refresh_token?: string
}

const inTurn =
  (requests: readonly [LoadRequest, ...LoadRequest[]]): CallerOf =>
  (connection) => {
    let turn = connection
    return { next: () => requests[turn++ % requests.length] ?? requests[0] }
  }

/** Ids of ten letters, as core's are. */
const customerId = (number: number): string =>
  `custome${String.fromCharCode(...[676, 26, 1].map((place) => 97 + (Math.floor(number / place) % 26)))}`

const signingCustomersIn =
  ({ facts }: AuthTarget): CallerOf =>
  (connection) => {
    let number = connection * 7
    return { next: () => assertionTokenRequest(facts.salesChannel, customerId(number++ % CUSTOMERS)) }
  }

/** First what gives a token, then what uses it, and so on. */
const alternating =
  (first: (turn: number) => LoadRequest, then: (body: TokenBody) => LoadRequest | undefined): CallerOf =>
  (connection) => {
    let turn = connection
    let following: LoadRequest | undefined
    return {
      next: () => following ?? first(turn++),
      onAnswer: ({ status, body }) => {
        const isToken = following === undefined && status === 200 && body !== undefined
        following = isToken ? then(JSON.parse(body) as TokenBody) : undefined
      },
    }
  }

const refreshing = ({ facts: { salesChannel } }: AuthTarget): CallerOf => {
  const continuing = (body: TokenBody): LoadRequest | undefined =>
    body.refresh_token === undefined ? undefined : refreshTokenRequest(salesChannel, body.refresh_token)
  return alternating((turn) => assertionTokenRequest(salesChannel, customerId(turn)), continuing)
}

const revoking = ({ facts: { salesChannel } }: AuthTarget): CallerOf =>
  alternating(
    (turn) => assertionTokenRequest(salesChannel, customerId(turn)),
    ({ access_token: token }) => (token === undefined ? undefined : revoke(salesChannel, token)),
  )

/** With the token of its own, asked for once. */
const usingItsToken =
  (auth: AuthTarget, use: (token: string) => LoadRequest): CallerOf =>
  (connection) => {
    const client = auth.facts.integrations[connection % INTEGRATIONS] ?? auth.facts.webapp
    let request = integrationTokenRequest(client)
    return {
      next: () => request,
      onAnswer: ({ status, body = '{}' }) => {
        const { access_token: token } = status === 200 ? (JSON.parse(body) as TokenBody) : {}
        if (token !== undefined) request = use(token)
      },
    }
  }

const operationsOf = (auth: AuthTarget): readonly LoadOperation[] => {
  const { salesChannel, integrations, webapp } = auth.facts
  const guests = SCOPES.map((scope) => salesChannelTokenRequest(salesChannel, scope))
  const machines = integrations.map((client) => integrationTokenRequest(client))
  return [
    {
      name: 'guest of a shop',
      weight: 40,
      callerOf: inTurn([salesChannelTokenRequest(salesChannel), ...guests]),
    },
    {
      name: 'integration',
      weight: 20,
      callerOf: inTurn([integrationTokenRequest(integrations[0] ?? webapp), ...machines]),
    },
    { name: 'customer by assertion', weight: 5, callerOf: signingCustomersIn(auth) },
    { name: 'customer by password', weight: 0.5, callerOf: inTurn([passwordTokenRequest(salesChannel)]) },
    { name: 'assertion, then refresh', weight: 8, callerOf: refreshing(auth) },
    { name: 'assertion, then revocation', weight: 2, callerOf: revoking(auth) },
    {
      name: 'introspection',
      weight: 10,
      callerOf: usingItsToken(auth, (token) => introspect(integrations[0] ?? webapp, token)),
    },
    { name: 'tokeninfo', weight: 6, callerOf: usingItsToken(auth, tokenInfoRequest) },
    { name: 'key set', weight: 8.5, callerOf: inTurn([fetchKeys]) },
  ]
}

export const scenario: LoadScenario = {
  summary:
    'Auth with its own PostgreSQL and Redis, core recorded: guests and integrations that come back for the token they have, customers who sign in, refresh and leave, services that look into tokens.',
  open: async ({ defer }) => {
    const surroundings = await openAuthSurroundings()
    defer(surroundings.close)
    const target = await surroundings.start({ integrations: INTEGRATIONS })
    return { target, operations: operationsOf(target) }
  },
}
