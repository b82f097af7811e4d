/** Creates what tokens are about. Used by the embedded system's demo data, the command line and the HTTP interface. */
import { readerOf } from './act.ts'
import { updateCredential, type CredentialChanges } from './change-credential.ts'
import { createCredential, type CreatedCredential, type CredentialInput } from './create-credential.ts'
import {
  findOrganization,
  putOrganization,
  type CreatedOrganization,
  type OrganizationInput,
} from './create-organization.ts'
import { putRole, type RoleInput } from './create-role.ts'
import { putUser, type UserInput } from './create-user.ts'
import { findCredentialByClientId } from './find-records.ts'
import type { ProvisioningDeps } from './provisioning-deps.ts'
import type { CredentialRecord } from './records.ts'

export interface Provisioning {
  /** The organization with this slug, created unless it is there. Tells core of both its environments. */
  createOrganization(input: OrganizationInput): Promise<CreatedOrganization>
  findOrganization(slug: string): Promise<CreatedOrganization | undefined>
  /** The organization's role of this name, with exactly these permissions. */
  createRole(input: RoleInput): Promise<{ id: string }>
  /** The organization's user with this email, created unless it is there. */
  createUser(input: UserInput): Promise<{ id: string }>
  /** A new credential at each call. The secret is in this answer and nowhere else. */
  createCredential(input: CredentialInput): Promise<CreatedCredential>
  /** Undefined when nobody has this client id. */
  findCredential(clientId: string): Promise<CredentialRecord | undefined>
  updateCredential(id: string, changes: CredentialChanges): Promise<{ id: string }>
}

export const createProvisioning = (deps: ProvisioningDeps): Provisioning => ({
  createOrganization: (input) => putOrganization(input, deps),
  findOrganization: (slug) => findOrganization(slug, deps),
  createRole: (input) => putRole(input, deps),
  createUser: (input) => putUser(input, deps),
  createCredential: (input) => createCredential(input, deps),
  findCredential: (clientId) => findCredentialByClientId(clientId, readerOf(deps)),
  updateCredential: (id, changes) => updateCredential(id, changes, deps),
})
