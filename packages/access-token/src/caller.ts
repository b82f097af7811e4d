/** The caller of a request: the verified claims of an access token, as every service uses them. */

/** An organization's two environments: live is its real shop. */
export type Mode = 'test' | 'live'

/** What a role can allow; `destroy` is the API's delete. */
export type PermittedAction = 'create' | 'read' | 'update' | 'destroy'

/** One row of a custom role: what may be done with one resource type. */
export interface Permission {
  /** A resource type, for example `orders`. */
  readonly subject: string
  readonly actions: readonly PermittedAction[]
  readonly restrictions?: Readonly<Record<string, unknown>>
}

/** `admin` may do everything, `read_only` reads everything, `custom` does what its permissions list. */
export type RoleKind = 'admin' | 'read_only' | 'custom'

/** Who makes the request, as the token says and auth has since corrected. All ids are public ids. */
export interface Caller {
  /** `jti`, a UUID; what a revocation names. */
  readonly tokenId: string
  readonly organization: { readonly id: string; readonly slug: string }
  readonly mode: Mode
  readonly application: {
    readonly id: string
    readonly clientId: string
    /** `sales_channel`, `integration`, `webapp` or another kind of spec auth.md 7.4. */
    readonly kind: string
    readonly isPublic: boolean
    readonly isConfidential: boolean
  }
  /** Absent for sales channels, whose permissions are a fixed table. `permissions` is empty unless custom. */
  readonly role?: {
    readonly id: string
    readonly kind: RoleKind
    readonly permissions: readonly Permission[]
  }
  /** The customer or user the token speaks for. */
  readonly owner?: { readonly id: string; readonly type: 'Customer' | 'User' }
  /** As granted, for example `market:id:enWoxFMOnp`, several separated by one space. */
  readonly scope: string
  /** Present when a concrete market or store is in scope. */
  readonly market?: { readonly ids: readonly string[]; readonly stockLocationIds: readonly string[] }
  readonly store?: { readonly id: string }
  readonly stockLocation?: { readonly id: string }
  readonly customClaim?: Readonly<Record<string, unknown>>
  readonly issuedAt?: Date
  /** When the customer signed in; absent for everyone else and in tokens of earlier releases. */
  readonly signedInAt?: Date
  readonly expiresAt: Date
}

/**
 * Whether the token's scope narrows what it sees. Contract, Scopes rule 9: for integrations a scope acts only with
 * a custom role; for every other kind of credential it always acts.
 */
export const isScopeEffective = (caller: Caller): boolean =>
  caller.application.kind !== 'integration' || caller.role?.kind === 'custom'
