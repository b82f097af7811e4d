/** Client authentication, within the limits on wrong attempts. */
import { AppError } from '@merx/errors/app-error'
import type { ClientAttempts } from './client-attempts.ts'
import {
  authenticateClient,
  type AuthenticationRules,
  type PresentedClient,
} from './client-authentication.ts'
import type { AuthenticatedClient, CredentialReader } from './credential.ts'

/**
 * @param address the request came from
 * @throws AppError invalid_client; oauth_too_many_requests with Retry-After, before the secret is looked at
 */
export type AuthenticateClient = (
  presented: PresentedClient,
  rules: AuthenticationRules,
  address: string | undefined,
) => Promise<AuthenticatedClient>

export const withAttemptLimits =
  (credentials: CredentialReader, attempts: ClientAttempts): AuthenticateClient =>
  async (presented, rules, address) => {
    attempts.requireRoom(presented.clientId, address)
    try {
      return await authenticateClient(presented, rules, credentials)
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_client')
        await attempts.countFailure(presented.clientId, address)
      throw error
    }
  }
