/** What connections send to auth in the benchmarks. */
import type { AuthTarget } from '@merx/auth/load/start-auth'
import {
  integrationTokenRequest,
  passwordTokenRequest,
  refreshTokenRequest,
} from '@merx/auth/load/token-requests'
import type { CallerOf } from '@merx/load/closed-loop'
import type { LoadRequest } from '@merx/load/exchange'

export const CONNECTIONS = 10

/** Each connection is an integration of its own, so that no two ask for the same token at once. */
export const integrationOf = (auth: AuthTarget, connection: number) => {
  const { integrations } = auth.facts
  const credential = integrations[connection % integrations.length]
  if (credential === undefined) throw new Error('the target has no integrations')
  return credential
}

export const asIntegrations =
  (auth: AuthTarget): CallerOf =>
  (connection) => {
    const request = integrationTokenRequest(integrationOf(auth, connection))
    return { next: () => request }
  }

/** Each connection signs a customer in once, then exchanges refresh token for refresh token. */
export const refreshing =
  (auth: AuthTarget): CallerOf =>
  () => {
    const { salesChannel } = auth.facts
    let request: LoadRequest = passwordTokenRequest(salesChannel)
    return {
      next: () => request,
      onAnswer: ({ body = '{}' }) => {
        const { refresh_token: refreshToken } = JSON.parse(body) as { refresh_token?: string }
        request =
          refreshToken === undefined
            ? passwordTokenRequest(salesChannel)
            : refreshTokenRequest(salesChannel, refreshToken)
      },
    }
  }

/** The payload of an answered token, as JSON. */
export const payloadOf = (body: string): string => {
  const { access_token: token } = JSON.parse(body) as { access_token: string }
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
}
