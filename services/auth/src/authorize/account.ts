/** A user as sign-in needs one. */
import type { User } from '../roles/user.ts'

export interface Account {
  readonly organizationId: string
  readonly user: User
  /** PHC string of argon2id. */
  readonly passwordHash: string
}

/** Users that are disabled are not found. */
export interface AccountReader {
  findByEmail(organizationId: string, email: string): Promise<Account | undefined>
  findById(organizationId: string, userId: string): Promise<Account | undefined>
  /** @throws Error when there is no such organization. */
  organizationName(organizationId: string): Promise<string>
}
