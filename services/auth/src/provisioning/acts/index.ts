/** Resource type → what its operations do. */
import type { Acts } from './acts.ts'
import { apiCredentialActs } from './api-credential-acts.ts'
import { organizationActs } from './organization-acts.ts'
import { permissionActs } from './permission-acts.ts'
import { roleActs } from './role-acts.ts'
import { userActs } from './user-acts.ts'

export const acts: Readonly<Record<string, Acts>> = {
  organizations: organizationActs,
  users: userActs,
  roles: roleActs,
  permissions: permissionActs,
  api_credentials: apiCredentialActs,
}
