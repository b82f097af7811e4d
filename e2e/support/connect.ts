/** A client of the running system: one source address, tokens cached, one method per interface. */
import { demo, environment, publicMarket, type CredentialName, type Mode } from './demo.ts'
import { send, type Reply } from './send.ts'
import { freshAddress } from './source-address.ts'
import type { CollectionDocument, TokenBody } from './wire.ts'

export const METRICS_ACCEPT = 'application/vnd.api.v1+json'
export const JSON_API = 'application/vnd.api+json'

type Headers = Readonly<Record<string, string | undefined>>

export interface TokenOptions {
  readonly mode?: Mode
  /** Index into the demo organizations. */
  readonly organization?: number
  /** Space separated; a sales channel without one gets its first public market, '' means none. */
  readonly scope?: string
}

export interface CoreRequest {
  readonly token?: string
  readonly method?: string
  /** Percent-encoded as the contract asks: `page[size]` travels as page%5Bsize%5D. */
  readonly query?: Readonly<Record<string, string | number>>
  readonly headers?: Headers
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown
}

export interface MetricsRequest {
  readonly token?: string
  readonly method?: string
  readonly headers?: Headers
}

const bodyText = (body: unknown): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body)

const queryText = (query: CoreRequest['query'] = {}): string => {
  const text = Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return text === '' ? '' : `?${text}`
}

/** Fields of a client_credentials request of a demo credential. */
export const clientCredentials = (name: CredentialName, options: TokenOptions = {}) => {
  const { mode = 'test', organization = 0 } = options
  const { client_id, client_secret } = environment(mode, organization).credentials[name]
  const scope =
    options.scope ?? (name === 'sales_channel' ? `market:id:${publicMarket(mode, organization).id}` : '')
  return {
    grant_type: 'client_credentials',
    client_id,
    ...(name === 'sales_channel' ? {} : { client_secret }),
    ...(scope === '' ? {} : { scope }),
  }
}

const requireToken = (reply: Reply): string => {
  if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text}`)
  return reply.json<TokenBody>().access_token
}

const tokens = new Map<string, Promise<string>>()

const postToken = (body: unknown, from: string, headers: Headers = {}) =>
  send({
    method: 'POST',
    url: `${demo().auth_url}/oauth/token`,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body: bodyText(body) ?? '' }),
    from,
  })

/** An access token by client credentials, asked once per process and from an address of its own. */
export const accessToken = (name: CredentialName, options: TokenOptions = {}): Promise<string> => {
  const fields = clientCredentials(name, options)
  const key = JSON.stringify(fields)
  const known = tokens.get(key) ?? postToken(fields, freshAddress()).then(requireToken)
  tokens.set(key, known)
  return known
}

/** A customer's token by the password grant of the sales channel. */
export const customerToken = async (options: TokenOptions & { readonly isPrivate?: boolean } = {}) => {
  const { mode = 'test', organization = 0, isPrivate = false } = options
  const { credentials, customer, private_customer } = environment(mode, organization)
  const { email, password } = isPrivate ? private_customer : customer
  const market = isPrivate
    ? `market:code:${private_customer.market_code}`
    : `market:id:${publicMarket(mode, organization).id}`
  const fields = {
    grant_type: 'password',
    client_id: credentials.sales_channel.client_id,
    username: email,
    password,
    scope: options.scope ?? market,
  }
  return postToken(fields, freshAddress())
}

/** Everything a test needs of the system, from one source address. */
export const connect = (address = freshAddress()) => {
  const raw = (method: string, url: string, headers: Headers = {}, body?: unknown): Promise<Reply> => {
    const text = bodyText(body)
    return send({ method, url, headers, from: address, ...(text === undefined ? {} : { body: text }) })
  }

  const core = (path: string, request: CoreRequest = {}): Promise<Reply> => {
    const { token, method = 'GET', query, headers, body } = request
    const url = path.startsWith('http') ? path : `${demo().base_url}/api/${path}${queryText(query)}`
    return raw(
      method,
      url,
      {
        Accept: JSON_API,
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': JSON_API }),
        ...headers,
      },
      body,
    )
  }

  return {
    address,
    raw,
    core,
    /** POST {base_url}/metrics/<path> with the headers the contract requires. */
    metrics: (path: string, body: unknown, request: MetricsRequest = {}): Promise<Reply> =>
      raw(
        request.method ?? 'POST',
        `${demo().base_url}/metrics/${path}`,
        {
          Accept: METRICS_ACCEPT,
          'Content-Type': JSON_API,
          ...(request.token === undefined ? {} : { Authorization: `Bearer ${request.token}` }),
          ...request.headers,
        },
        body,
      ),
    /** POST {auth_url}/oauth/token. */
    token: (body: unknown, headers: Headers = {}): Promise<Reply> => postToken(body, address, headers),
    /** POST or GET {auth_url}/<path>. */
    auth: (method: string, path: string, headers: Headers = {}, body?: unknown): Promise<Reply> =>
      raw(method, `${demo().auth_url}${path}`, headers, body),
    /** One page of a collection; throws unless it is a 200. */
    collection: async (path: string, request: CoreRequest = {}): Promise<CollectionDocument> => {
      const reply = await core(path, request)
      if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.status} ${reply.text.slice(0, 600)}`)
      return reply.json<CollectionDocument>()
    },
  }
}

export type Connection = ReturnType<typeof connect>

/** All records of a collection, 25 a page, every page from a new address so that no budget is touched. */
export const everyRecord = async (path: string, request: CoreRequest = {}) => {
  const pages: CollectionDocument[] = []
  for (let number = 1; ; number += 1) {
    const query = { ...request.query, 'page[number]': number, 'page[size]': 25 }
    const page = await connect().collection(path, { ...request, query })
    pages.push(page)
    if (page.links.next === undefined) break
  }
  return {
    data: pages.flatMap((page) => page.data),
    included: pages.flatMap((page) => page.included ?? []),
    recordCount: pages[0]?.meta.record_count ?? 0,
  }
}
