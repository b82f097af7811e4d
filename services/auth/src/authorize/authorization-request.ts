/**
 * Query of /oauth/authorize → a request that may be put to the user (RFC 6749 4.1.1, RFC 7636 4.3), in two halves:
 * violations of the first are shown, because nobody proved where to send them; violations of the second go to the client.
 */
import { AppError } from '@merx/errors/app-error'
import { isClientIdShaped } from '../clients/client-secret.ts'
import { isPublicKind, type Credential, type CredentialReader } from '../clients/credential.ts'
import { authorizationCode } from '../grants/authorization-code.ts'
import { parseNamed, requireNamed } from '../grants/token-parameters.ts'
import { resolveScope, type ResolvedScope, type ScopeFactsReader } from '../scopes/resolve-scope.ts'

/** Where the answer goes, proved by an exact match. */
export interface AuthorizationTarget {
  readonly credential: Credential
  readonly redirectUri: string
  /** Echoed with every answer. */
  readonly state?: string
}

export interface AuthorizationRequest extends AuthorizationTarget {
  readonly scope: ResolvedScope
  /** As requested; absent when none was. */
  readonly scopeText?: string
  readonly codeChallenge?: string
}

const TARGET_LENGTH_MAX = { client_id: 128, redirect_uri: 2_048 } as const
const STATE_LENGTH_MAX = 2_048
const REQUEST_LENGTH_MAX = {
  response_type: 100,
  response_mode: 100,
  state: STATE_LENGTH_MAX,
  scope: 4_096,
  code_challenge: 128,
  code_challenge_method: 16,
} as const

const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/
/** RFC 7636 4.2: the base64url of a SHA-256. */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/

const invalidRequest = (detail: string): AppError => new AppError('invalid_request', { detail })

/** Undefined when it could not be echoed: the violation itself is reported with the second half. */
const stateOf = ({ state }: Record<string, unknown>): string | undefined =>
  typeof state === 'string' &&
  state !== '' &&
  state.length <= STATE_LENGTH_MAX &&
  !CONTROL_CHARACTERS.test(state)
    ? state
    : undefined

/** @throws AppError that is to be shown to the user, never redirected. */
export const parseTarget = async (
  query: Record<string, unknown>,
  credentials: CredentialReader,
): Promise<AuthorizationTarget> => {
  const parameters = parseNamed(query, TARGET_LENGTH_MAX)
  const clientId = requireNamed(parameters, 'client_id')
  const redirectUri = requireNamed(parameters, 'redirect_uri')
  const credential = isClientIdShaped(clientId) ? await credentials.findByClientId(clientId) : undefined
  if (credential === undefined || credential.isDisabled) {
    throw invalidRequest('The client_id names no application, or one that is disabled.')
  }
  // Character by character: RFC 9700 2.1.
  if (credential.redirectUri !== redirectUri) {
    throw invalidRequest(
      'The redirect_uri differs from the one of the application; they must be equal in every character.',
    )
  }
  const state = stateOf(query)
  return { credential, redirectUri, ...(state === undefined ? {} : { state }) }
}

/**
 * RFC 9700 2.1.1: PKCE for every public client, and for each that sends a challenge; `plain` protects nothing.
 * @throws AppError invalid_request
 */
export const parseChallenge = (
  challenge: string | undefined,
  method: string | undefined,
  isPublic: boolean,
): string | undefined => {
  if (challenge === undefined) {
    if (isPublic) throw invalidRequest('Public applications must send code_challenge (PKCE, method S256).')
    if (method !== undefined)
      throw invalidRequest('code_challenge_method was sent without code_challenge; send both or neither.')
    return undefined
  }
  // RFC 7636 4.3: without a method it would be plain.
  if (method !== 'S256')
    throw invalidRequest(
      `The code_challenge_method '${method ?? 'plain'}' is not supported; allowed: S256${method === undefined ? ', which must be stated' : ''}.`,
    )
  if (!S256_CHALLENGE.test(challenge))
    throw invalidRequest('The code_challenge must be the base64url of a SHA-256 digest: 43 characters.')
  return challenge
}

const requireMayUseCodes = ({ kind }: Credential): void => {
  if (authorizationCode.kinds.includes(kind)) return
  throw new AppError('unauthorized_client', {
    detail: `Credentials of kind ${kind} may not ask for authorization codes; allowed: ${authorizationCode.kinds.join(', ')}.`,
  })
}

/** @throws AppError to be sent to the client at its redirect URI. */
export const parseAuthorizationRequest = async (
  query: Record<string, unknown>,
  target: AuthorizationTarget,
  scopeFacts: ScopeFactsReader,
): Promise<AuthorizationRequest> => {
  const { credential } = target
  const parameters = parseNamed(query, REQUEST_LENGTH_MAX)
  if (parameters.state !== undefined && CONTROL_CHARACTERS.test(parameters.state))
    throw invalidRequest('The state holds a control character.')
  requireMayUseCodes(credential)
  const responseType = requireNamed(parameters, 'response_type')
  if (responseType !== 'code') {
    throw new AppError('unsupported_response_type', {
      detail: `The response_type '${responseType}' is not supported; allowed: code.`,
    })
  }
  if (parameters.response_mode !== undefined && parameters.response_mode !== 'query')
    throw invalidRequest(`The response_mode '${parameters.response_mode}' is not supported; allowed: query.`)
  const { scope: scopeText, code_challenge: challenge, code_challenge_method: method } = parameters
  const codeChallenge = parseChallenge(challenge, method, isPublicKind(credential.kind))
  const situation = { grant: 'authorization_code', isRecalculation: false } as const
  return {
    ...target,
    scope: await resolveScope(scopeText, credential, situation, scopeFacts),
    ...(scopeText === undefined ? {} : { scopeText }),
    ...(codeChallenge === undefined ? {} : { codeChallenge }),
  }
}

/** The request as a query again: what forms post to, and what their CSRF token is bound to. */
export const toQuery = (request: AuthorizationRequest): string => {
  const { credential, redirectUri, state, scopeText, codeChallenge } = request
  return new URLSearchParams({
    response_type: 'code',
    client_id: credential.clientId,
    redirect_uri: redirectUri,
    ...(scopeText === undefined ? {} : { scope: scopeText }),
    ...(state === undefined ? {} : { state }),
    ...(codeChallenge === undefined ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  }).toString()
}
