/** RFC 6749 6: a refresh token is exchanged for a new access token and a new refresh token (rotation, RFC 9700 4.14). */
import { AppError } from '@merx/errors/app-error'
import type { AuthenticatedClient } from '../clients/credential.ts'
import { resolveScope } from '../scopes/resolve-scope.ts'
import type { UsableRefreshToken } from '../tokens/refresh-tokens.ts'
import type { Grant, GrantDeps } from './grant.ts'
import { narrowScope } from './narrow-scope.ts'
import { findCurrentOwner, isOfPresentPassword, type CurrentOwner } from './owner-of-token.ts'
import { signInTimeOf } from './sign-in-time.ts'
import { requireParameter } from './token-parameters.ts'

const refusal = (reason: string): AppError =>
  new AppError('invalid_grant', { detail: `The provided grant is invalid: ${reason}.` })

const requireOwner = async (
  { family }: UsableRefreshToken,
  client: AuthenticatedClient,
  deps: GrantDeps,
): Promise<CurrentOwner | undefined> => {
  if (family.owner === undefined) return undefined // JWT bearer with a custom claim only
  const current = await findCurrentOwner(family.owner, client, deps)
  const who = family.owner.type.toLowerCase()
  if (current === undefined) throw refusal(`its ${who} no longer exists`)
  if (!isOfPresentPassword(family, current)) throw refusal(`its ${who} has another password since`)
  return current
}

export const refreshToken: Grant = {
  name: 'refresh_token',
  kinds: ['sales_channel', 'webapp'],
  requiredParameters: ['refresh_token'],
  isSecretRequired: false,
  run: async ({ client, parameters }, deps) => {
    const used = await deps.refreshTokens.requireUsable(requireParameter(parameters, 'refresh_token'), client)
    const current = await requireOwner(used, client, deps)
    const situation = {
      grant: used.family.grant,
      isRecalculation: true,
      ...(current?.customerGroupId === undefined ? {} : { customerGroupId: current.customerGroupId }),
    }
    const text = narrowScope(used.family.scope, parameters.scope)
    return {
      scope: await resolveScope(text, client.credential, situation, deps.scopeFacts),
      owner: current?.owner,
      signIn:
        current?.owner.type === 'Customer'
          ? signInTimeOf(used.signedInAt, current.passwordSetAtSeconds)
          : undefined,
      role: current?.role,
      customClaim: used.family.customClaim,
      isReusable: false,
      refresh: { kind: 'rotate', used },
    }
  },
}
