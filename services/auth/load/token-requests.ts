/** The requests of clients of auth, as load sends them. */
import type { LoadRequest } from '@merx/load/exchange'
import { recording } from './recorded-core.ts'

/** The two halves of a credential. */
export interface ClientPair {
  readonly clientId: string
  readonly clientSecret: string
}

const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' }

const post = (path: string, body: Record<string, string>): LoadRequest => ({
  method: 'POST',
  path,
  headers: JSON_HEADERS,
  body: JSON.stringify(body),
})

const secretly = ({ clientId, clientSecret }: ClientPair) => ({
  client_id: clientId,
  client_secret: clientSecret,
})

export const integrationTokenRequest = (client: ClientPair): LoadRequest =>
  post('/oauth/token', { grant_type: 'client_credentials', ...secretly(client) })

/** A shop's front end: no secret, a market in scope. */
export const salesChannelTokenRequest = (
  { clientId }: ClientPair,
  scope = 'market:code:europe',
): LoadRequest => post('/oauth/token', { grant_type: 'client_credentials', client_id: clientId, scope })

export const passwordTokenRequest = (
  { clientId }: ClientPair,
  username = recording.customer.email,
): LoadRequest =>
  post('/oauth/token', {
    grant_type: 'password',
    client_id: clientId,
    username,
    password: recording.password,
    scope: 'market:code:europe',
  })

export const refreshTokenRequest = ({ clientId }: ClientPair, refreshToken: string): LoadRequest =>
  post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken })

/** On behalf of a customer; the assertion's signature is the client's own business (auth checks the secret). */
export const assertionTokenRequest = (client: ClientPair, customerId: string): LoadRequest => {
  const payload = { 'https://commercelayer.io/claims': { owner: { type: 'Customer', id: customerId } } }
  const assertion = [{ alg: 'HS512', typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('c2lnbmF0dXJl')
    .join('.')
  return post('/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ...secretly(client),
    assertion,
    scope: 'market:code:europe',
  })
}

export const revoke = (client: ClientPair, token: string): LoadRequest =>
  post('/oauth/revoke', { ...secretly(client), token })

export const introspect = (client: ClientPair, token: string): LoadRequest =>
  post('/oauth/introspect', { ...secretly(client), token })

export const tokenInfoRequest = (token: string): LoadRequest => ({
  method: 'GET',
  path: '/oauth/tokeninfo',
  headers: { accept: 'application/json', authorization: `Bearer ${token}` },
})

export const fetchKeys: LoadRequest = {
  method: 'GET',
  path: '/.well-known/jwks.json',
  headers: { accept: 'application/json' },
}
