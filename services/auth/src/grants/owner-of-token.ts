/** Owner named by a token or an assertion → the owner as it is now, with what it brings: role or customer group. */
import type { AuthenticatedClient, RoleReference } from '../clients/credential.ts'
import { environmentOf } from '../scopes/resolve-scope.ts'
import { findOwner } from '../tokens/find-owner.ts'
import type { Owner } from '../tokens/owner.ts'
import type { RefreshFamily } from '../tokens/refresh-tokens.ts'
import type { GrantDeps } from './grant.ts'

export interface CurrentOwner {
  readonly owner: Owner
  /** Webapps act with the role of their user (contract, auth.md 9.1). */
  readonly role?: RoleReference
  readonly customerGroupId?: string | null
  readonly passwordMark?: string
  /** Of customers. */
  readonly passwordSetAtSeconds?: number
}

/** Undefined when there is no such customer or user in the client's environment any more. */
export const findCurrentOwner = async (
  owner: Owner,
  { credential }: Pick<AuthenticatedClient, 'credential'>,
  readers: Pick<GrantDeps, 'core' | 'users'>,
): Promise<CurrentOwner | undefined> => {
  const found = await findOwner(owner, environmentOf(credential), readers)
  if (found === undefined) return undefined
  if (found.type === 'Customer') {
    const { customerGroupId, passwordMark, passwordSetAtSeconds } = found.customer
    return {
      ...{ owner, customerGroupId },
      ...(passwordMark === undefined ? {} : { passwordMark }),
      ...(passwordSetAtSeconds === undefined ? {} : { passwordSetAtSeconds }),
    }
  }
  const { role, passwordMark } = found.user
  return credential.kind === 'webapp'
    ? { owner, role: { id: role.id, kind: role.kind }, passwordMark }
    : { owner, passwordMark }
}

/** Whether the owner still has the password with which a family began; unknown of families of earlier releases. */
export const isOfPresentPassword = (
  family: Pick<RefreshFamily, 'passwordMark'>,
  current: Pick<CurrentOwner, 'passwordMark'>,
): boolean =>
  family.passwordMark === undefined ||
  current.passwordMark === undefined ||
  family.passwordMark === current.passwordMark
