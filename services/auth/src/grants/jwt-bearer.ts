/** RFC 7523 2.1, in the form of auth.md 2.6: a client asks for a token on behalf of a customer or user. */
import type { AuthenticatedClient } from '../clients/credential.ts'
import { resolveScope } from '../scopes/resolve-scope.ts'
import type { Owner } from '../tokens/owner.ts'
import { invalidAssertion, parseAssertion } from './assertion.ts'
import type { Grant, GrantDeps } from './grant.ts'
import { findCurrentOwner, type CurrentOwner } from './owner-of-token.ts'
import { signInTimeOf } from './sign-in-time.ts'
import { requireParameter } from './token-parameters.ts'

const NAME = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const requireOwner = async (
  owner: Owner,
  client: AuthenticatedClient,
  deps: GrantDeps,
): Promise<CurrentOwner> => {
  const current = await findCurrentOwner(owner, client, deps)
  if (current === undefined) throw invalidAssertion(`there is no ${owner.type} with the id of owner.id`)
  return current
}

export const jwtBearer: Grant = {
  name: NAME,
  kinds: ['sales_channel', 'webapp'],
  requiredParameters: ['assertion'],
  isSecretRequired: true,
  run: async ({ client, parameters }, deps) => {
    const beganAt = deps.clock.now()
    const { owner, customClaim } = parseAssertion(requireParameter(parameters, 'assertion'), beganAt)
    const current = owner === undefined ? undefined : await requireOwner(owner, client, deps)
    const situation = { grant: NAME, isRecalculation: false } as const
    return {
      scope: await resolveScope(parameters.scope, client.credential, situation, deps.scopeFacts),
      owner: current?.owner,
      signIn:
        current?.owner.type === 'Customer' ? signInTimeOf(beganAt, current.passwordSetAtSeconds) : undefined,
      role: current?.role,
      customClaim,
      isReusable: true,
      refresh: { kind: 'begin', grant: NAME, passwordMark: current?.passwordMark },
    }
  },
}
