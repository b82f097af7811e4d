/** auth's answer to `GET /internal/access-state`: its shape, and the check that it has it. */
import { compile } from '@merx/validation/compile'
import type { Permission, RoleKind } from './caller.ts'

/** Body of auth's `GET /internal/access-state`: all of it without `after`, else what changed since. */
export interface AccessStateDocument {
  /** Opaque; goes back as `after`. */
  readonly version: string | number
  readonly revocations: readonly {
    readonly jti: string
    /** ISO 8601; when the token would have ended by itself, so that the entry can be forgotten. */
    readonly expires_at: string
  }[]
  readonly roles: readonly {
    readonly id: string
    readonly kind: RoleKind
    readonly permissions: readonly Permission[]
  }[]
  /** Credentials and users that changed while their tokens live. */
  readonly applications?: readonly AccessChangeDocument[]
  readonly users?: readonly AccessChangeDocument[]
  /** Signing keys whose tokens are refused from now on, whenever they were signed. */
  readonly withdrawn_keys?: readonly { readonly kid: string; readonly expires_at: string }[]
}

/** One credential or user that changed. */
export interface AccessChangeDocument {
  readonly id: string
  /** ISO 8601: tokens issued before it are refused. In year 9999 while disabled or deleted. */
  readonly revoked_before?: string | null
  /** The role it acts with now, when that changed. */
  readonly role_id?: string | null
  /** ISO 8601; when no token from before the change can be alive, so that the entry can be forgotten. */
  readonly expires_at: string
}

const changes = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'expires_at'],
    properties: {
      id: { type: 'string', minLength: 1 },
      revoked_before: { type: ['string', 'null'], format: 'date-time' },
      role_id: { type: ['string', 'null'], minLength: 1 },
      expires_at: { type: 'string', format: 'date-time' },
    },
  },
}

const checkDocument = compile<AccessStateDocument>({
  type: 'object',
  required: ['version', 'revocations', 'roles'],
  properties: {
    version: { type: ['string', 'integer'] },
    revocations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['jti', 'expires_at'],
        properties: {
          jti: { type: 'string', format: 'uuid' },
          expires_at: { type: 'string', format: 'date-time' },
        },
      },
    },
    roles: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'kind', 'permissions'],
        properties: {
          id: { type: 'string', minLength: 1 },
          kind: { type: 'string', enum: ['admin', 'read_only', 'custom'] },
          permissions: {
            type: 'array',
            items: {
              type: 'object',
              required: ['subject', 'actions'],
              properties: {
                subject: { type: 'string', minLength: 1 },
                actions: {
                  type: 'array',
                  items: { type: 'string', enum: ['create', 'read', 'update', 'destroy'] },
                },
                restrictions: { type: 'object' },
              },
            },
          },
        },
      },
    },
    applications: changes,
    users: changes,
    withdrawn_keys: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kid', 'expires_at'],
        properties: {
          kid: { type: 'string', minLength: 1 },
          expires_at: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
})

/** Throws an Error that names every place where the answer is not an access state. */
export const parseAccessState = (answer: unknown): AccessStateDocument => {
  const result = checkDocument(answer)
  if (result.ok) return result.value
  throw new Error(
    `access state: ${result.violations.map((violation) => `${violation.pointer} ${violation.message}`).join('; ')}`,
  )
}
