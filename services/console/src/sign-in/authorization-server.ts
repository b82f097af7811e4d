/** Auth as an OAuth client sees it: where to send the browser, and the calls that need the client's secret. */
import type { Clock } from '@merx/telemetry/clock'
import * as oauth from 'oauth4webapi'
import type { Application } from '../applications.ts'

export interface Tokens {
  readonly accessToken: string
  readonly expiresAtSeconds: number
  readonly refreshToken: string
}

/** What a sign-in that is under way must find again when the browser comes back. */
export interface Attempt {
  readonly state: string
  /** PKCE (RFC 7636). */
  readonly verifier: string
}

/** The authorization server says no: a repetition will not help. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused'
}

/** The authorization server does not answer, or not now: a repetition may help. */
export class AuthUnavailable extends Error {
  override readonly name = 'AuthUnavailable'
}

/** The answer in the address is not one to the request of this browser, or is an error of the server. */
export class AnswerRefused extends Error {
  override readonly name = 'AnswerRefused'
  /** As the server names it, such as `access_denied`; undefined when the answer is not its. */
  readonly reason: string | undefined

  constructor(message: string, options: { readonly cause: unknown; readonly reason?: string }) {
    super(message, { cause: options.cause })
    this.reason = options.reason
  }
}

export interface AuthorizationServer {
  authorizationUrl(application: Application, attempt: Attempt): Promise<string>
  /**
   * @param query of the address the browser came back to
   * @throws AnswerRefused, GrantRefused, AuthUnavailable
   */
  exchange(
    application: Application,
    attempt: Attempt,
    query: URLSearchParams,
    address?: string,
  ): Promise<Tokens>
  /** @throws GrantRefused, AuthUnavailable */
  refresh(application: Application, refreshToken: string, address?: string): Promise<Tokens>
  /** Ends the refresh token and all that came from it (RFC 7009). */
  revoke(application: Application, refreshToken: string): Promise<void>
}

export interface AuthorizationServerOptions {
  readonly issuer: string
  /** Where browsers reach it. */
  readonly publicUrl: string
  /** Where this process reaches it. */
  readonly url: string
  readonly timeoutMs: number
  readonly clock: Clock
}

export const newAttempt = (): Attempt => ({
  state: oauth.generateRandomState(),
  verifier: oauth.generateRandomCodeVerifier(),
})

const metadataOf = ({ issuer, publicUrl, url }: AuthorizationServerOptions): oauth.AuthorizationServer => ({
  issuer,
  authorization_endpoint: `${publicUrl}/oauth/authorize`,
  token_endpoint: `${url}/oauth/token`,
  revocation_endpoint: `${url}/oauth/revoke`,
  authorization_response_iss_parameter_supported: true, // RFC 9207: mix-up attacks
})

const clientOf = ({ clientId }: Application): oauth.Client => ({ client_id: clientId })

const authenticationOf = ({ clientSecret }: Application) => oauth.ClientSecretBasic(clientSecret)

const TOO_MANY = 429
const SERVER_ERRORS = 500

/** `fetch` fails with a TypeError when nobody answers, and with a TimeoutError when nobody answers in time. */
const isNoAnswer = (error: unknown): boolean =>
  (error instanceof TypeError && error.message === 'fetch failed') ||
  (error instanceof DOMException && error.name === 'TimeoutError')

/** Of the answer that the client library does not take. */
const statusOf = (error: unknown): number | undefined => {
  if (error instanceof oauth.ResponseBodyError) return error.status
  return error instanceof Error && error.cause instanceof Response ? error.cause.status : undefined
}

/** An error in words of RFC 6749 is a refusal, unless its status says that it is one of the moment. */
const failureOf = (error: unknown): unknown => {
  if (isNoAnswer(error)) return new AuthUnavailable('auth does not answer', { cause: error })
  const status = statusOf(error)
  if (status !== undefined && (status >= SERVER_ERRORS || status === TOO_MANY))
    return new AuthUnavailable(`auth answers ${status}`, { cause: error })
  return error instanceof oauth.ResponseBodyError
    ? new GrantRefused(`auth refuses: ${error.error}`, { cause: error })
    : error
}

export const createAuthorizationServer = (options: AuthorizationServerOptions): AuthorizationServer => {
  const server = metadataOf(options)
  const { clock, timeoutMs } = options
  const request = (address?: string) => ({
    [oauth.allowInsecureRequests]: new URL(options.url).protocol === 'http:',
    signal: () => AbortSignal.timeout(timeoutMs),
    // Auth counts tries by address, and believes this where it trusts a proxy.
    ...(address === undefined ? {} : { headers: new Headers({ 'X-Forwarded-For': address }) }),
  })

  const toTokens = (answer: oauth.TokenEndpointResponse, earlier?: string): Tokens => {
    const refreshToken = answer.refresh_token ?? earlier
    if (refreshToken === undefined || answer.expires_in === undefined)
      throw new Error('auth gave a token without a lifetime or a refresh token')
    const nowSeconds = Math.floor(clock.now().getTime() / 1_000)
    return {
      accessToken: answer.access_token,
      expiresAtSeconds: nowSeconds + answer.expires_in,
      refreshToken,
    }
  }

  const validate = (application: Application, query: URLSearchParams, state: string): URLSearchParams => {
    try {
      return oauth.validateAuthResponse(server, clientOf(application), query, state)
    } catch (cause) {
      if (cause instanceof oauth.AuthorizationResponseError)
        throw new AnswerRefused(cause.message, { cause, reason: cause.error })
      throw new AnswerRefused('the answer is not one to the request of this browser', { cause })
    }
  }

  return {
    authorizationUrl: async ({ clientId, redirectUri }, { state, verifier }) => {
      const url = new URL(server.authorization_endpoint ?? '')
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString()
      return url.href
    },
    exchange: async (application, { state, verifier }, query, address) => {
      const [client, authentication] = [clientOf(application), authenticationOf(application)]
      const parameters = validate(application, query, state)
      try {
        const response = await oauth.authorizationCodeGrantRequest(
          ...([server, client, authentication, parameters, application.redirectUri, verifier] as const),
          request(address),
        )
        return toTokens(await oauth.processAuthorizationCodeResponse(server, client, response))
      } catch (error) {
        throw failureOf(error)
      }
    },
    refresh: async (application, refreshToken, address) => {
      const [client, authentication] = [clientOf(application), authenticationOf(application)]
      try {
        const response = await oauth.refreshTokenGrantRequest(
          ...([server, client, authentication, refreshToken, request(address)] as const),
        )
        const answer = await oauth.processRefreshTokenResponse(server, client, response)
        return toTokens(answer, refreshToken)
      } catch (error) {
        throw failureOf(error)
      }
    },
    revoke: async (application, refreshToken) => {
      const response = await oauth.revocationRequest(
        ...([server, clientOf(application), authenticationOf(application), refreshToken] as const),
        request(),
      )
      await oauth.processRevocationResponse(response)
    },
  }
}
