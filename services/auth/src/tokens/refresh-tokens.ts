/**
 * Refresh tokens: opaque, stored as hashes, two weeks each, rotated at every use. All that descend from one sign-in form
 * a family; an old one that is replayed ends the family, because either the thief or the owner must be behind it
 * (RFC 9700 4.14.2). A short grace forgives a client whose answer got lost, or that asked twice at once; of the tokens
 * that gives, the first to be used goes on, and a use of another is a replay.
 */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { clientActor } from '../audit/actors.ts'
import type { AuditEvent } from '../audit/audit-event.ts'
import { createOpaqueToken, hashOpaqueToken } from '../clients/client-secret.ts'
import type { AuthenticatedClient } from '../clients/credential.ts'
import { REFRESH_TOKEN_LIFETIME_SECONDS } from '../clients/lifetimes.ts'
import type { GrantName } from '../grants/grant-names.ts'
import type { AccessToken } from './access-token.ts'
import type { Owner } from './owner.ts'

/** How long after its first use a refresh token is accepted again, as long as no successor was used. */
export const REPLAY_GRACE_SECONDS = 10

/** What stays the same over all rotations. */
export interface RefreshFamily {
  readonly credentialId: string
  readonly owner?: Owner
  readonly scope: string
  readonly grant: GrantName
  readonly customClaim?: Record<string, unknown>
  /** Of the owner's password when it began; with another one the family is over (RFC 9700 4.14.2). */
  readonly passwordMark?: string
}

export interface StoredRefreshToken {
  readonly id: bigint
  readonly familyId: bigint
  readonly family: RefreshFamily
  /** When the family began. */
  readonly signedInAt: Date
  readonly isFamilyRevoked: boolean
  readonly expiresAt: Date
  readonly usedAt?: Date
  readonly isSuccessorUsed: boolean
  /** Another token that the same one was exchanged for, within its grace, was used: only one line goes on. */
  readonly isSiblingUsed: boolean
}

/** A refresh token that may be exchanged by the client that asks. */
export type UsableRefreshToken = StoredRefreshToken

export interface NewRefreshToken {
  readonly tokenHash: Uint8Array<ArrayBuffer>
  /** The access token answered with it: it ends with the family. */
  readonly accessTokenId: string
  readonly accessExpiresAt: Date
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Nothing is begun when the client was deleted meanwhile, or its user disabled, deleted or given another password. */
export type BeginOutcome = 'begun' | 'client_gone' | 'user_changed'

export type RotationOutcome = 'rotated' | 'replayed' | 'revoked'

export interface RefreshTokenStore {
  begin(family: RefreshFamily, token: NewRefreshToken): Promise<BeginOutcome>
  findByHash(tokenHash: Uint8Array<ArrayBuffer>): Promise<StoredRefreshToken | undefined>
  /** Atomic: of several uses at once one is the first, the others are judged as replays at `at`. */
  rotate(
    used: StoredRefreshToken,
    successor: NewRefreshToken,
    at: Date,
    graceSeconds: number,
  ): Promise<RotationOutcome>
  /**
   * Ends the family and revokes the access tokens it gave that are still alive. `event` goes to the audit log, unless
   * the family was over already.
   */
  revokeFamily(familyId: bigint, at: Date, event: AuditEvent): Promise<void>
}

export interface RefreshTokensDeps {
  readonly store: RefreshTokenStore
  readonly clock: Clock
  readonly log: Logger
  /** Called after access tokens were revoked in the store. */
  readonly onRevoked: () => Promise<void>
}

export interface RefreshTokens {
  /** @throws AppError invalid_grant, in one wording for every reason but the owner's. */
  requireUsable(token: string, client: AuthenticatedClient): Promise<UsableRefreshToken>
  /** @throws AppError invalid_client, or invalid_grant, when its client or user is not any more as the grant found them. */
  begin(family: RefreshFamily, access: AccessToken): Promise<string>
  /** @throws AppError invalid_grant when another use came first. */
  rotate(used: UsableRefreshToken, access: AccessToken, client: AuthenticatedClient): Promise<string>
  /** @returns undefined when it is no refresh token of ours. */
  find(token: string): Promise<StoredRefreshToken | undefined>
  revokeFamily(familyId: bigint, event: AuditEvent): Promise<void>
}

const addSeconds = (instant: Date, seconds: number): Date => new Date(instant.getTime() + seconds * 1000)

const refusal = (cause: string): AppError =>
  new AppError('invalid_grant', {
    detail:
      'The provided grant is invalid: the refresh token is unknown, expired, revoked, already used, or of another client.',
    cause,
  })

type ReplayFacts = Pick<StoredRefreshToken, 'usedAt' | 'isSuccessorUsed' | 'isSiblingUsed'>

/** Whether a second use of a token still counts as the client's own retry. */
const isWithinGrace = ({ usedAt, isSuccessorUsed }: ReplayFacts, at: Date, graceSeconds: number): boolean =>
  usedAt !== undefined && !isSuccessorUsed && at.getTime() - usedAt.getTime() <= graceSeconds * 1000

/**
 * Whether a use of this token shows that two hold tokens of its family: its grace is over, or somebody else went on
 * from the token it came from.
 */
export const isReplay = (token: ReplayFacts, at: Date, graceSeconds: number): boolean =>
  token.isSiblingUsed || (token.usedAt !== undefined && !isWithinGrace(token, at, graceSeconds))

export const createRefreshTokens = ({ store, clock, log, onRevoked }: RefreshTokensDeps): RefreshTokens => {
  const find = (token: string): Promise<StoredRefreshToken | undefined> =>
    store.findByHash(hashOpaqueToken(token))

  const revokeFamily = async (familyId: bigint, event: AuditEvent): Promise<void> => {
    await store.revokeFamily(familyId, clock.now(), event)
    await onRevoked()
  }

  const refuseReplay = async (familyId: bigint, { credential }: AuthenticatedClient): Promise<AppError> => {
    log.warn({ family_id: String(familyId) }, 'a refresh token was replayed, its family is revoked')
    await revokeFamily(familyId, {
      actor: clientActor(credential),
      action: 'refresh_token.replay',
      subject: { type: 'refresh_families', id: String(familyId) },
      organizationId: credential.organization.id,
      details: { credential: credential.id },
    })
    return refusal('replayed')
  }

  const make = (access: AccessToken): { token: string; row: NewRefreshToken } => {
    const token = createOpaqueToken()
    const createdAt = clock.now()
    return {
      token,
      row: {
        tokenHash: hashOpaqueToken(token),
        accessTokenId: access.tokenId,
        accessExpiresAt: new Date(access.expiresAtSeconds * 1000),
        createdAt,
        expiresAt: addSeconds(createdAt, REFRESH_TOKEN_LIFETIME_SECONDS),
      },
    }
  }

  return {
    find,
    revokeFamily,

    requireUsable: async (text, client) => {
      const token = await find(text)
      if (token === undefined) throw refusal('unknown')
      if (token.family.credentialId !== client.credential.id) throw refusal('another client')
      if (token.isFamilyRevoked) throw refusal('revoked')
      const now = clock.now()
      if (now >= token.expiresAt) throw refusal('expired')
      if (isReplay(token, now, REPLAY_GRACE_SECONDS)) throw await refuseReplay(token.familyId, client)
      return token
    },

    begin: async (family, access) => {
      const { token, row } = make(access)
      const outcome = await store.begin(family, row)
      if (outcome === 'begun') return token
      if (outcome === 'client_gone')
        throw new AppError('invalid_client', { cause: 'deleted while the token was made' })
      throw new AppError('invalid_grant', {
        detail:
          'The provided grant is invalid: its user was disabled, deleted or given another password meanwhile.',
      })
    },

    rotate: async (used, access, client) => {
      const { token, row } = make(access)
      const outcome = await store.rotate(used, row, clock.now(), REPLAY_GRACE_SECONDS)
      if (outcome === 'replayed') throw await refuseReplay(used.familyId, client)
      if (outcome === 'revoked') throw refusal('revoked')
      return token
    },
  }
}
