/** The interfaces that the page calls, all of them on its own origin, with the token of the session. */
import { CommerceLayer, CommerceLayerStatic } from '@commercelayer/sdk'
import { t } from '../language/text.ts'
import { documentOf, isTokenRefused, nestedMessages, readAnswer, Refused, type Problem } from './answers.ts'
import { noteLimits } from './limits.ts'
import { accessToken, SessionOver, type Session } from './session.ts'

/** The client makes addresses of `https://<slug>.<domain>`; here the same paths are on the page's own origin. */
const fetchHere: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : String(input))
  return noteLimits(await fetch(`${pathname}${search}`, init))
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

/** What may be shown of an error: the words of the interface that refused, or that it could not be reached. */
export const problemsOf = (error: unknown): readonly Problem[] => {
  if (error instanceof SessionOver)
    return [{ title: t('Signed out'), detail: t('Your session is over. Sign in again.') }]
  if (error instanceof Refused) return error.problems
  if (CommerceLayerStatic.isApiError(error) && error.errors.length > 0)
    return (error.errors as readonly Problem[]).map((problem) => ({
      ...problem,
      detail: problem.detail || problem.title,
    }))
  return [{ title: t('No answer'), detail: error instanceof Error ? error.message : String(error) }]
}

/** What is sent with an address: a GET without a body when nothing is said. */
interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: object
  /** The tag of the record as it was read: somebody else's change since then refuses the write. */
  readonly ifMatch?: string | undefined
}

const JSON_API = 'application/vnd.api+json'

const send = async (address: string, ask: Ask, isRefused = false): Promise<Response> => {
  const { method = 'GET', body, ifMatch } = ask
  const response = noteLimits(
    await fetch(address, {
      method,
      headers: {
        Accept: JSON_API,
        ...(body === undefined ? {} : { 'Content-Type': JSON_API }),
        ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
        Authorization: `Bearer ${await accessToken({ isRefused })}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  return isTokenRefused(response) && !isRefused ? send(address, ask, true) : response
}

const askJsonApi = async <Document>(address: string, ask: Ask): Promise<Document> =>
  readAnswer<Document>(await send(address, ask))

/**
 * What core answers, for the screens of any type; those of one type use the client's resources.
 * @param address below `/api`, with its query, such as `skus?page%5Bsize%5D=5` @throws Refused
 */
export const askCore = <Document>(address: string, ask: Ask = {}): Promise<Document> =>
  askJsonApi(`/api/${address}`, ask)

/** The same, with the record's tag for `ifMatch`. @throws Refused */
export const askCoreTagged = async <Document>(
  address: string,
): Promise<{ readonly document: Document; readonly tag: string | undefined }> => {
  const response = await send(`/api/${address}`, {})
  const document = await readAnswer<Document>(response)
  return { document, tag: response.headers.get('etag') ?? undefined }
}

/** The same of auth, for credentials, roles and users. @param address below `/provisioning` @throws Refused */
export const askProvisioning = <Document>(address: string, ask: Ask = {}): Promise<Document> =>
  askJsonApi(`/provisioning/${address}`, ask)

const METRICS = { Accept: 'application/vnd.api.v1+json', 'Content-Type': 'application/vnd.api+json' }

interface MetricsErrors {
  readonly error?: { readonly title: string; readonly meta?: { readonly errors?: readonly unknown[] } }
}

const sendMetrics = async (
  path: string,
  body: object,
  signal?: AbortSignal,
  isRefused = false,
): Promise<Response> => {
  const response = noteLimits(
    await fetch(`/metrics/${path}`, {
      method: 'POST',
      headers: { ...METRICS, Authorization: `Bearer ${await accessToken({ isRefused })}` },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  return isTokenRefused(response) && !isRefused ? sendMetrics(path, body, signal, true) : response
}

const refusedByMetrics = async (response: Response): Promise<Refused> => {
  const { error } = await documentOf<MetricsErrors>(response)
  const { title = t('The service answered {status}.', { status: response.status }), meta } = error ?? {}
  const details = nestedMessages(meta?.errors ?? [])
  return new Refused(response.status, [{ title, detail: details.length === 0 ? title : details.join('; ') }])
}

/**
 * What metrics answers. @param path such as `orders/search` @param signal ends the query, also in the engine
 * @throws Refused
 */
export const askMetrics = async <Document>(
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Document> => {
  const response = await sendMetrics(path, body, signal)
  if (!response.ok) throw await refusedByMetrics(response)
  return (await response.json()) as Document
}

/** @param path such as `orders/stats` @throws Refused */
export const queryMetrics = async <Data>(path: string, body: object, signal?: AbortSignal): Promise<Data> =>
  (await askMetrics<{ readonly data: Data }>(path, body, signal)).data

/** Records as CSV. @param path such as `orders/export` @throws Refused */
export const exportMetrics = async (path: string, body: object, signal?: AbortSignal): Promise<Blob> => {
  const response = await sendMetrics(path, body, signal)
  if (!response.ok) throw await refusedByMetrics(response)
  return response.blob()
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
    throw new Refused(response.status, [{ title: t('No answer'), detail: t('Who you are is unknown.') }])
  return (await response.json()) as TokenInformation
}
