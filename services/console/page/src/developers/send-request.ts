/** Sends what a developer wrote, with the token that they chose, and keeps what came back. */
import { noteLimits } from '../data/limits.ts'
import { accessToken } from '../data/session.ts'
import { isOwnPath, type Method } from './developers-search.ts'

export interface SentRequest {
  readonly method: Method
  readonly path: string
  readonly body: string
  /** Empty for that of the session. */
  readonly token: string
}

export interface SentAnswer {
  readonly status: number
  readonly statusText: string
  readonly milliseconds: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

const isMetrics = (path: string): boolean => path.startsWith('/metrics/')

const mediaTypesOf = (path: string): Readonly<Record<string, string>> =>
  isMetrics(path)
    ? { Accept: 'application/vnd.api.v1+json', 'Content-Type': 'application/vnd.api+json' }
    : { Accept: 'application/vnd.api+json', 'Content-Type': 'application/vnd.api+json' }

const headersOf = ({ path, method }: Pick<SentRequest, 'path' | 'method'>, token: string) => {
  const { Accept = '', 'Content-Type': type = '' } = mediaTypesOf(path)
  return { Accept, ...(method === 'GET' ? {} : { 'Content-Type': type }), Authorization: `Bearer ${token}` }
}

const hasBody = ({ method, body }: SentRequest): boolean => method !== 'GET' && body.trim() !== ''

/** JSON with two spaces, anything else as it is. */
export const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** @throws Error for a path of another origin, or when nobody answers */
export const sendRequest = async (request: SentRequest): Promise<SentAnswer> => {
  const { method, path, body, token } = request
  if (!isOwnPath(path)) throw new Error(`The path must begin with one slash and be of this origin: ${path}`)
  const start = performance.now()
  const response = noteLimits(
    await fetch(path, {
      method,
      headers: headersOf(request, token === '' ? await accessToken() : token),
      ...(hasBody(request) ? { body } : {}),
    }),
  )
  const text = await response.text()
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: performance.now() - start,
    headers: [...response.headers].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    body: pretty(text),
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The same for a shell; the token is a variable, so that nobody pastes one. */
export const toCurl = (request: SentRequest, origin: string): string => {
  const { Authorization: _token, ...headers } = headersOf(request, '')
  return [
    `curl -g -X ${request.method} ${quoted(`${origin}${request.path}`)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasBody(request) ? [`-d ${quoted(request.body)}`] : []),
  ].join(' \\\n  ')
}
