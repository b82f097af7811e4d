/** The interfaces that the page calls, all of them on its own origin, with the token of the session. */
import { CommerceLayer, CommerceLayerStatic } from '@commercelayer/sdk'
import { accessToken, SessionOver, type Session } from './session.ts'

/** The client makes addresses of `https://<slug>.<domain>`; here the same paths are on the page's own origin. */
const fetchHere: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : String(input))
  return fetch(`${pathname}${search}`, init)
}

/** Makes the client of core ready; its resources, such as `orders`, share this one configuration. */
export const configureCore = ({ access_token, organization }: Session): void => {
  CommerceLayer({
    organization,
    accessToken: access_token,
    fetch: fetchHere,
    refreshToken: () => accessToken({ isRefused: true }),
  })
}

/** One thing that an interface says is wrong. */
export interface Problem {
  readonly title: string
  readonly detail: string
}

/** What an interface refused, in its own words. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly problems: readonly Problem[]
  readonly status: number

  constructor(status: number, problems: readonly Problem[]) {
    super(problems.map(({ detail }) => detail).join('; '))
    this.status = status
    this.problems = problems
  }
}

/** What may be shown of an error: the words of the interface that refused, or that it could not be reached. */
export const problemsOf = (error: unknown): readonly Problem[] => {
  if (error instanceof SessionOver)
    return [{ title: 'Signed out', detail: 'Your session is over. Sign in again.' }]
  if (error instanceof Refused) return error.problems
  if (CommerceLayerStatic.isApiError(error) && error.errors.length > 0)
    return (error.errors as readonly Problem[]).map(({ title, detail }) => ({
      title,
      detail: detail || title,
    }))
  return [{ title: 'No answer', detail: error instanceof Error ? error.message : String(error) }]
}

interface CoreErrors {
  readonly errors?: readonly Problem[]
}

/**
 * What core answers to a GET, for the screens of any type; those of one type use the client's resources.
 * @param address below `/api`, with its query, such as `skus?page%5Bsize%5D=5` @throws Refused
 */
export const askCore = async <Document>(address: string, isRefused = false): Promise<Document> => {
  const response = await fetch(`/api/${address}`, {
    headers: {
      Accept: 'application/vnd.api+json',
      Authorization: `Bearer ${await accessToken({ isRefused })}`,
    },
  })
  if (response.status === 401 && !isRefused) return askCore(address, true)
  const document = (await response.json()) as Document & CoreErrors
  if (response.ok) return document
  const problems = document.errors ?? [{ title: 'No answer', detail: `core answered ${response.status}` }]
  throw new Refused(response.status, problems)
}

const METRICS = { Accept: 'application/vnd.api.v1+json', 'Content-Type': 'application/vnd.api+json' }

interface MetricsErrors {
  readonly error?: { readonly title: string; readonly meta?: { readonly errors?: readonly unknown[] } }
}

const askMetrics = async (path: string, body: object, isRefused = false): Promise<Response> => {
  const response = await fetch(`/metrics/${path}`, {
    method: 'POST',
    headers: { ...METRICS, Authorization: `Bearer ${await accessToken({ isRefused })}` },
    body: JSON.stringify(body),
  })
  return response.status === 401 && !isRefused ? askMetrics(path, body, true) : response
}

/** @param path such as `orders/stats` @throws Refused */
export const queryMetrics = async <Data>(path: string, body: object): Promise<Data> => {
  const response = await askMetrics(path, body)
  const answer = (await response.json()) as { readonly data: Data } & MetricsErrors
  if (response.ok) return answer.data
  const { title = 'No answer', meta } = answer.error ?? {}
  const details = meta?.errors ?? []
  const detail = details.length === 0 ? title : details.map((each) => JSON.stringify(each)).join('; ')
  throw new Refused(response.status, [{ title, detail }])
}

/** What the token may do, and whose it is (auth's token information). */
export interface TokenInformation {
  readonly owner?: {
    readonly email: string
    readonly first_name: string | null
    readonly last_name: string | null
  }
  readonly role?: { readonly name: string; readonly kind: string }
  readonly permissions?: Readonly<Record<string, { readonly actions: readonly string[] }>>
}

export const readTokenInformation = async (): Promise<TokenInformation> => {
  const response = await fetch('/oauth/tokeninfo', {
    headers: { Authorization: `Bearer ${await accessToken()}` },
  })
  if (!response.ok)
    throw new Refused(response.status, [{ title: 'No answer', detail: 'Who you are is unknown.' }])
  return (await response.json()) as TokenInformation
}
