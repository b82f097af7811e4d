/** API credentials as the rest of the service knows them: public ids, no rows. */
import type { Mode } from '@merx/access-token/caller'

export const CREDENTIAL_KINDS = ['sales_channel', 'integration', 'webapp'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

export const ROLE_KINDS = ['admin', 'read_only', 'custom'] as const
export type RoleKind = (typeof ROLE_KINDS)[number]

export interface RoleReference {
  readonly id: string
  readonly kind: RoleKind
}

export interface Organization {
  readonly id: string
  readonly slug: string
  readonly isEnterprise: boolean
  readonly region: string
}

export interface Credential {
  readonly id: string
  readonly clientId: string
  readonly name: string
  readonly kind: CredentialKind
  readonly mode: Mode
  /** SHA-256 of the client secret. */
  readonly secretHash: Uint8Array
  readonly redirectUri?: string
  /** Lifetime set for this credential; absent means the default of its kind. */
  readonly customLifetimeSeconds?: number
  readonly isDisabled: boolean
  readonly organization: Organization
  /** Integrations only. */
  readonly role?: RoleReference
}

/** A credential that proved itself, and how. */
export interface AuthenticatedClient {
  readonly credential: Credential
  /** True when a valid client secret came with the request; public credentials may go without. */
  readonly isConfidential: boolean
}

export interface CredentialReader {
  findByClientId(clientId: string): Promise<Credential | undefined>
}

/** Contract, Authentication: only sales channels authenticate with a client id alone. */
export const isPublicKind = (kind: CredentialKind): boolean => kind === 'sales_channel'
