/** Request → the credentials it presents → an authenticated client (RFC 6749 2.3). */
import { AppError } from '@merx/errors/app-error'
import { isClientIdShaped, isSecretOf } from './client-secret.ts'
import { isPublicKind, type AuthenticatedClient, type CredentialReader } from './credential.ts'

export interface PresentedClient {
  readonly clientId: string
  readonly clientSecret?: string
  /** How it came: a refusal of Basic must answer with a Basic challenge (RFC 6749 5.2). */
  readonly method: 'body' | 'basic'
}

export interface ClientParameters {
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
}

const BASIC = /^Basic +([A-Za-z0-9+/=_-]{1,2000})$/i
const BASIC_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="merx", charset="UTF-8"' }

/** Unknown clients are compared with this, so that they take as long as known ones. */
const NOBODYS_SECRET_HASH = new Uint8Array(32)

const refuse = (method: PresentedClient['method'], cause?: string): AppError =>
  new AppError('invalid_client', {
    cause,
    ...(method === 'basic' ? { headers: BASIC_CHALLENGE } : {}),
  })

/** RFC 6749 2.3.1: both halves are form-encoded before they are joined by a colon. */
const decodeFormPart = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

const parseBasic = (authorization: string): PresentedClient => {
  const encoded = BASIC.exec(authorization)?.[1]
  if (encoded === undefined) throw refuse('basic', 'not a Basic header')
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 1) throw refuse('basic', 'no colon in the Basic pair')
  try {
    const clientId = decodeFormPart(pair.slice(0, colon))
    const clientSecret = decodeFormPart(pair.slice(colon + 1))
    // A public client has an empty password (RFC 6749 2.3.1: "MAY be omitted if the client secret is empty").
    return { clientId, method: 'basic', ...(clientSecret === '' ? {} : { clientSecret }) }
  } catch (error) {
    throw error instanceof URIError ? refuse('basic', 'percent-encoding of the Basic pair') : error
  }
}

/**
 * What the request says about who sends it.
 * @throws AppError invalid_request when it says so in two ways; invalid_client when it says nothing usable.
 */
export const presentedClient = (
  authorization: string | undefined,
  body: ClientParameters,
): PresentedClient => {
  if (authorization !== undefined) {
    const presented = parseBasic(authorization)
    if (body.client_secret !== undefined) {
      throw new AppError('invalid_request', {
        detail:
          'The client authenticates in two ways; use either the Authorization header or client_secret in the body.',
      })
    }
    if (body.client_id !== undefined && body.client_id !== presented.clientId) {
      throw new AppError('invalid_request', {
        detail: 'client_id in the body differs from the client in the Authorization header.',
      })
    }
    return presented
  }
  if (body.client_id === undefined) throw refuse('body', 'no client_id')
  return {
    clientId: body.client_id,
    method: 'body',
    ...(body.client_secret === undefined ? {} : { clientSecret: body.client_secret }),
  }
}

export interface AuthenticationRules {
  /** JWT bearer asks public credentials for their secret too (auth.md 2.2). */
  readonly isSecretRequired: boolean
}

/**
 * Every refusal has the same words and takes the same steps, so that nobody learns which half was wrong.
 * @throws AppError invalid_client
 */
export const authenticateClient = async (
  presented: PresentedClient,
  rules: AuthenticationRules,
  credentials: CredentialReader,
): Promise<AuthenticatedClient> => {
  const { clientId, clientSecret, method } = presented
  const credential = isClientIdShaped(clientId) ? await credentials.findByClientId(clientId) : undefined
  const isSecretRight = isSecretOf(credential?.secretHash ?? NOBODYS_SECRET_HASH, clientSecret ?? '')
  if (credential === undefined || credential.isDisabled) throw refuse(method, 'unknown or disabled client')

  const mayGoWithout = isPublicKind(credential.kind) && !rules.isSecretRequired
  if (clientSecret === undefined ? !mayGoWithout : !isSecretRight)
    throw refuse(method, 'secret missing or wrong')
  return { credential, isConfidential: clientSecret !== undefined }
}
