/** The claims of an access token as they travel (spec auth.md 7.3, plus jti, role, store and stock_location). */
import { compile } from '@merx/validation/compile'
import type { Caller, RoleKind } from './caller.ts'

/** Payload of the JWT, in the order auth writes it. */
export interface AccessTokenClaims {
  readonly organization: {
    readonly id: string
    readonly slug: string
    readonly enterprise: boolean
    readonly region: string
  }
  readonly application: {
    readonly id: string
    readonly client_id: string
    readonly kind: string
    readonly public: boolean
    readonly confidential: boolean
  }
  /** With a concrete market or store in scope. */
  readonly market?: {
    readonly id: readonly string[]
    readonly stock_location_ids: readonly string[]
    readonly geocoder_id: string | null
    readonly allows_external_prices: boolean
  }
  readonly store?: { readonly id: string }
  readonly stock_location?: { readonly id: string }
  readonly owner?: { readonly id: string; readonly type: 'Customer' | 'User' }
  readonly role?: { readonly id: string; readonly kind: RoleKind }
  readonly custom_claim?: Readonly<Record<string, unknown>>
  readonly scope: string
  /** Unix seconds; the token is over when now ≥ exp. */
  readonly exp: number
  /** true = test environment */
  readonly test: boolean
  /** 0 ≤ rand < 1 */
  readonly rand: number
  readonly iat: number
  /** `https://auth.<MERX_DOMAIN>` */
  readonly iss: string
  /** UUID; what a revocation names. */
  readonly jti: string
  /** Unix seconds: when the customer signed in (RFC 9068 2.2.1); a refresh does not change it. */
  readonly auth_time?: number
}

const id = { type: 'string', minLength: 1, maxLength: 64 } as const
/** Bounded by TOKEN_BYTES_MAX long before. */
const ids = { type: 'array', items: id, maxItems: 1_000 } as const
const name = { type: 'string', minLength: 1, maxLength: 255 } as const
const flag = { type: 'boolean' } as const
const withId = { type: 'object', required: ['id'], properties: { id } } as const

/** What a service relies on; claims it does not know are no reason to refuse a token auth signed. */
const check = compile<AccessTokenClaims>({
  type: 'object',
  required: ['organization', 'application', 'scope', 'exp', 'test', 'iat', 'iss', 'jti'],
  properties: {
    organization: { type: 'object', required: ['id', 'slug'], properties: { id, slug: name } },
    application: {
      type: 'object',
      required: ['id', 'client_id', 'kind', 'public', 'confidential'],
      properties: { id, client_id: name, kind: name, public: flag, confidential: flag },
    },
    market: {
      type: 'object',
      required: ['id', 'stock_location_ids'],
      properties: { id: { ...ids, minItems: 1 }, stock_location_ids: ids },
    },
    store: withId,
    stock_location: withId,
    owner: {
      type: 'object',
      required: ['id', 'type'],
      properties: { id, type: { type: 'string', enum: ['Customer', 'User'] } },
    },
    role: {
      type: 'object',
      required: ['id', 'kind'],
      properties: { id, kind: { type: 'string', enum: ['admin', 'read_only', 'custom'] } },
    },
    custom_claim: { type: 'object' },
    scope: { type: 'string', maxLength: 2000 },
    exp: { type: 'integer', minimum: 0, maximum: 253_402_300_799 }, // the last second a Date of four-digit years has
    test: flag,
    iat: { type: 'integer', minimum: 0 },
    iss: name,
    jti: { type: 'string', format: 'uuid' },
    auth_time: { type: 'integer', minimum: 0, maximum: 253_402_300_799 },
  },
})

/**
 * Claims as a Caller, its role still without permissions (those come from auth's access state).
 * @throws Error naming each claim that is missing or wrong.
 */
export const fromClaims = (payload: unknown): Caller => {
  const result = check(payload)
  if (!result.ok) {
    throw new Error(
      `claims: ${result.violations.map((violation) => `${violation.pointer} ${violation.message}`).join('; ')}`,
    )
  }
  const { organization, application, market, store, owner, role, ...rest } = result.value
  return {
    tokenId: rest.jti.toLowerCase(),
    organization: { id: organization.id, slug: organization.slug },
    mode: rest.test ? 'test' : 'live',
    application: {
      id: application.id,
      clientId: application.client_id,
      kind: application.kind,
      isPublic: application.public,
      isConfidential: application.confidential,
    },
    ...(role && { role: { id: role.id, kind: role.kind, permissions: [] } }),
    ...(owner && { owner: { id: owner.id, type: owner.type } }),
    scope: rest.scope,
    ...(market && { market: { ids: market.id, stockLocationIds: market.stock_location_ids } }),
    ...(store && { store: { id: store.id } }),
    ...(rest.stock_location && { stockLocation: { id: rest.stock_location.id } }),
    ...(rest.custom_claim && { customClaim: rest.custom_claim }),
    issuedAt: new Date(rest.iat * 1000),
    ...(rest.auth_time === undefined ? {} : { signedInAt: new Date(rest.auth_time * 1000) }),
    expiresAt: new Date(rest.exp * 1000),
  }
}
