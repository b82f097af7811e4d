/** POST /oauth/revoke, the decisions (RFC 7009, auth.md 4). */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import { clientActor } from '../audit/actors.ts'
import type { AuditEvent } from '../audit/audit-event.ts'
import type { AuthenticatedClient } from '../clients/credential.ts'
import type { Revocation } from '../roles/access-state.ts'
import { countRevocation } from '../telemetry.ts'
import type { RefreshTokens, StoredRefreshToken } from './refresh-tokens.ts'
import type { ReusableTokens } from './reusable-tokens.ts'
import { reuseKeyOfClaims } from './reuse-key.ts'

export interface RevocationStore {
  /** `event` goes to the audit log, unless the token was revoked already. */
  revoke(revocation: Revocation, at: Date, event: AuditEvent): Promise<void>
}

export interface RevokeDeps {
  /** The claims of a token this service signed; undefined for anything else. */
  readonly readClaims: (token: string) => Promise<AccessTokenClaims | undefined>
  readonly store: RevocationStore
  readonly refreshTokens: Pick<RefreshTokens, 'find' | 'revokeFamily'>
  readonly reusableTokens: Pick<ReusableTokens, 'forget'>
  readonly clock: Clock
  /** Called after access tokens were revoked in the store. */
  readonly onRevoked: () => Promise<void>
}

const forbidden = (cause: string): AppError => new AppError('revocation_forbidden', { cause })

const revokeAccessToken = async (
  claims: AccessTokenClaims,
  client: AuthenticatedClient,
  deps: RevokeDeps,
): Promise<void> => {
  if (claims.application.client_id !== client.credential.clientId) throw forbidden('token of another client')
  const expiresAt = new Date(claims.exp * 1000)
  if (expiresAt <= deps.clock.now()) return
  await deps.store.revoke({ tokenId: claims.jti, expiresAt }, deps.clock.now(), {
    actor: clientActor(client.credential),
    action: 'token.revoke',
    subject: { type: 'access_tokens', id: claims.jti },
    organizationId: client.credential.organization.id,
    details: { credential: client.credential.id },
  })
  countRevocation('access_token')
  await deps.onRevoked()
  await deps.reusableTokens.forget(reuseKeyOfClaims(claims), {
    tokenId: claims.jti,
    expiresAtSeconds: claims.exp,
  })
}

const revokeRefreshToken = async (
  found: StoredRefreshToken,
  client: AuthenticatedClient,
  deps: RevokeDeps,
): Promise<void> => {
  if (found.family.credentialId !== client.credential.id) throw forbidden('token of another client')
  await deps.refreshTokens.revokeFamily(found.familyId, {
    actor: clientActor(client.credential),
    action: 'refresh_token.revoke',
    subject: { type: 'refresh_families', id: String(found.familyId) },
    organizationId: client.credential.organization.id,
    details: { credential: client.credential.id },
  })
  countRevocation('refresh_token')
}

/**
 * Ends an access token, or a refresh token with its family. An unknown token is a success: it is as good as revoked
 * (RFC 7009 2.2). A public client needs no secret, whoever the token speaks for (contract, Grant types).
 * @throws AppError revocation_forbidden
 */
export const revokeToken = async (
  token: string,
  client: AuthenticatedClient,
  deps: RevokeDeps,
): Promise<void> => {
  const claims = await deps.readClaims(token)
  if (claims !== undefined) {
    await revokeAccessToken(claims, client, deps)
    return
  }
  const found = await deps.refreshTokens.find(token)
  if (found !== undefined) await revokeRefreshToken(found, client, deps)
}
