/** Users of an organization, as grants see them. */
import type { RoleReference } from '../clients/credential.ts'

export interface User {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly timeZone: string
  /** True for the owner of the organization. */
  readonly isOwner: boolean
  readonly role: RoleReference & { readonly name: string }
  /** Another password, another mark (@merx/passwords/password-mark). */
  readonly passwordMark: string
}

export interface UserReader {
  /** Undefined when unknown, disabled or of another organization. */
  findActive(organizationId: string, userId: string): Promise<User | undefined>
}
