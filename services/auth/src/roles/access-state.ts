/** Builds the access state that core and metrics need besides the token: revoked tokens, and permissions of roles. */
import type { Permission } from '@merx/access-token/caller'
import type { RoleReference } from '../clients/credential.ts'
import type { WithdrawnKey } from '../keys/signing-key.ts'

export interface Revocation {
  readonly tokenId: string
  readonly expiresAt: Date
}

export interface RolePermissions extends RoleReference {
  readonly permissions: readonly Permission[]
}

/** What changed about a credential or a user while its tokens live. */
export interface AccessChange {
  readonly subject: 'application' | 'user'
  readonly id: string
  /** Tokens issued before it are refused; in year 9999 while disabled or deleted. */
  readonly revokedBefore?: Date
  /** The role it acts with now, when that changed. */
  readonly roleId?: string
  /** When no token from before the change can be alive. */
  readonly expiresAt: Date
}

export interface AccessState {
  readonly version: number
  readonly revocations: readonly Revocation[]
  readonly changes: readonly AccessChange[]
  readonly withdrawnKeys: readonly WithdrawnKey[]
  readonly roles: readonly RolePermissions[]
}

export interface AccessStateReader {
  currentVersion(): Promise<number>
  /** Everything that took a version above `after`; 0 gives the whole state. Expired revocations are left out. */
  readAfter(after: number, at: Date): Promise<AccessState>
}
