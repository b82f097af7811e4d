/** Whom a token speaks for, as they are now: what tokeninfo, introspection and the grants have in common. */
import type { Core, Customer, Environment } from '../core/core-client.ts'
import type { User, UserReader } from '../roles/user.ts'
import type { Owner } from './owner.ts'

export interface OwnerReaders {
  readonly users: UserReader
  readonly core: Pick<Core, 'findCustomer'>
}

export type FoundOwner =
  { readonly type: 'Customer'; readonly customer: Customer } | { readonly type: 'User'; readonly user: User }

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
