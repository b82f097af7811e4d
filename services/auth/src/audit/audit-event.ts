/** One entry of the audit log: who did what to what, from where, when. Never a secret, a token or a password. */

/** operator: the command line. client: an application, by its client id. system: this service by itself. */
export type ActorKind = 'operator' | 'client' | 'user' | 'system'

export interface Actor {
  readonly kind: ActorKind
  readonly name: string
  /** Host or address the act came from. */
  readonly origin: string
}

/** Every act that is recorded. */
export const AUDIT_ACTIONS = [
  'organization.create',
  'organization.update',
  'organization.delete',
  'user.create',
  'user.update',
  'user.disable',
  'user.enable',
  'user.delete',
  'role.create',
  'role.update',
  'role.delete',
  'credential.create',
  'credential.update',
  'credential.rotate_secret',
  'credential.disable',
  'credential.enable',
  'credential.delete',
  'key.rotate',
  'key.activate',
  'key.withdraw',
  'token.revoke',
  'refresh_token.revoke',
  'refresh_token.replay',
  'authorization_code.replay',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export type AuditDetail = string | number | boolean | null | readonly string[]

export interface AuditEvent {
  readonly actor: Actor
  readonly action: AuditAction
  /** Public id, kid or jti. */
  readonly subject: { readonly type: string; readonly id: string }
  readonly organizationId?: string | undefined
  readonly details?: Readonly<Record<string, AuditDetail>>
}

export interface RecordedEvent extends AuditEvent {
  readonly id: bigint
  readonly occurredAt: Date
  readonly requestId?: string
}

/** What this service does without being asked. */
export const SYSTEM_ACTOR: Actor = { kind: 'system', name: 'auth', origin: 'auth' }
