/** Finds the owner of a token as it is now, for tokeninfo, introspection and the grants. */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import type { Customer } from '../core/core-answers.ts'
import type { Core, Environment } from '../core/core-client.ts'
import type { User, UserReader } from '../roles/user.ts'
import type { Owner } from './owner.ts'

export interface OwnerReaders {
  readonly users: UserReader
  readonly core: Pick<Core, 'findCustomer'>
}

export type FoundOwner =
  { readonly type: 'Customer'; readonly customer: Customer } | { readonly type: 'User'; readonly user: User }

/** False when the token is of a sign-in before the customer's present password. */
export const isOfPresentSignIn = (
  { auth_time: signedInAt, iat }: Pick<AccessTokenClaims, 'auth_time' | 'iat'>,
  owner: FoundOwner,
): boolean => owner.type === 'User' || (signedInAt ?? iat) >= (owner.customer.passwordSetAtSeconds ?? 0)

/**
 * @returns undefined when there is no such customer or enabled user in the environment any more
 * @throws AppError oauth_unavailable when core does not answer
 */
export const findOwner = async (
  owner: Owner,
  environment: Environment,
  { users, core }: OwnerReaders,
): Promise<FoundOwner | undefined> => {
  if (owner.type === 'Customer') {
    const customer = await core.findCustomer(environment, owner.id)
    return customer && { type: owner.type, customer }
  }
  const user = await users.findActive(environment.organizationId, owner.id)
  return user && { type: owner.type, user }
}
