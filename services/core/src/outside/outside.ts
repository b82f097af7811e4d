/** The one client for calls to the outside: address checked and pinned, no redirects, 5 s, 1 MB, signed. */
import { Agent } from 'undici'
import type { Dispatcher } from 'undici'
import { createAddressCheck } from './address-check.ts'
import { toCallableUrl } from './callable-url.ts'
import { AnswerTooLarge, failedFor, toFailure } from './outside-errors.ts'
import { createPinnedLookup } from './pinned-lookup.ts'
import { createSystemResolver } from './resolve-name.ts'
import type { ResolveName } from './resolve-name.ts'
import { failed } from './result.ts'
import type { OutsideResult } from './result.ts'
import { SIGNATURE_HEADER, signatureOf } from './signature.ts'

export interface OutsideOptions {
  /** Networks in CIDR form that may be called although they are not public: OUTSIDE_ALLOWED_NETWORKS. */
  readonly allowedNetworks: readonly string[]
  /** Default: the name servers of the system, then its hosts file. */
  readonly resolve?: ResolveName
  /** Certificates (PEM) to trust besides those of the system; for tests. */
  readonly trustedCertificates?: string
}

export interface OutsideCall {
  readonly url: string
  /** Sent as it is: what is signed are these bytes. */
  readonly body: string
  /** Signs the body in `x-commercelayer-signature`. */
  readonly secret: string
  /** Besides content type, accept, user agent and signature. */
  readonly headers?: Readonly<Record<string, string>>
  /** For everything together: name, connection, request and complete answer. Default 5000. */
  readonly timeoutMs?: number
  /** Gives the call up. */
  readonly signal?: AbortSignal
}

export interface Outside {
  /** Never rejects because of the other side: what went wrong is in the result. */
  post(call: OutsideCall): Promise<OutsideResult>
  /** Ends the connections; calls that run fail. */
  close(): Promise<void>
}

export const CALL_TIMEOUT_MS = 5_000
export const ANSWER_BYTES_MAX = 1_048_576

const HEADERS = {
  'content-type': 'application/vnd.api+json',
  accept: 'application/vnd.api+json, application/json',
  'user-agent': 'Merx',
}

/** @example const result = await createOutside({ allowedNetworks: [] }).post({ url, body, secret }) */
export const createOutside = (options: OutsideOptions): Outside => {
  const { allowedNetworks, resolve = createSystemResolver(), trustedCertificates } = options
  const isAllowed = createAddressCheck(allowedNetworks)
  const agent = new Agent({
    connect: {
      lookup: createPinnedLookup(resolve, isAllowed),
      timeout: CALL_TIMEOUT_MS,
      ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
    },
    // The time of a call is limited as a whole, in `post`.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  return {
    post: async (call) => {
      const url = toCallableUrl(call.url, isAllowed)
      if (!(url instanceof URL)) return url
      const timeout = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS)
      try {
        return await exchange(agent, url, call, timeout)
      } catch (error) {
        if (timeout.aborted) return failedFor('timeout')
        if (call.signal?.aborted === true) return failedFor('aborted')
        const failure = toFailure(error)
        if (failure === undefined) throw error
        return failure
      }
    },
    close: () => agent.destroy(),
  }
}

const exchange = async (
  agent: Agent,
  url: URL,
  { body, secret, headers, signal }: OutsideCall,
  timeout: AbortSignal,
): Promise<OutsideResult> => {
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers: { ...HEADERS, ...headers, [SIGNATURE_HEADER]: signatureOf(body, secret) },
    body,
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  })
  const status = answer.statusCode
  if (status >= 300 && status <= 399) {
    // Nobody reads the body; it reports that it was not read.
    answer.body.on('error', () => undefined).destroy()
    return failed('redirect', `the answer is a redirect (${status}); the address must answer itself`)
  }
  return { kind: 'answered', status, headers: answer.headers, body: await readText(answer.body) }
}

/** Throws AnswerTooLarge, which also ends the connection. */
const readText = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new AnswerTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
