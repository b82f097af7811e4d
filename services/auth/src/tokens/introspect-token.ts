/** POST /oauth/introspect, the answer (RFC 7662 2.2): what a token says, to a client of the same organization. */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import type { AuthenticatedClient, Credential } from '../clients/credential.ts'
import { findCurrentOwner, isOfPresentPassword } from '../grants/owner-of-token.ts'
import { findOwner, isOfPresentSignIn, type OwnerReaders } from './find-owner.ts'
import { readLiveToken, type LiveTokenDeps } from './live-token.ts'
import type { RefreshTokens, StoredRefreshToken } from './refresh-tokens.ts'

export interface IntrospectDeps extends LiveTokenDeps, OwnerReaders {
  readonly refreshTokens: Pick<RefreshTokens, 'find'>
  readonly findCredentialById: (id: string) => Promise<Credential | undefined>
}

/** Nothing more is said about a token that is not active, nor why (RFC 7662 2.2). */
const INACTIVE = { active: false } as const

const toSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000)

const describeAccessToken = (claims: AccessTokenClaims) => ({
  active: true,
  scope: claims.scope,
  client_id: claims.application.client_id,
  token_type: 'bearer',
  exp: claims.exp,
  iat: claims.iat,
  // Without an owner the client acts for itself (RFC 9068 2.2).
  sub: claims.owner?.id ?? claims.application.client_id,
  iss: claims.iss,
  jti: claims.jti,
  organization: claims.organization,
  application: claims.application,
  ...(claims.market === undefined ? {} : { market: claims.market }),
  ...(claims.store === undefined ? {} : { store: claims.store }),
  ...(claims.stock_location === undefined ? {} : { stock_location: claims.stock_location }),
  ...(claims.owner === undefined ? {} : { owner: claims.owner }),
  ...(claims.role === undefined ? {} : { role: claims.role }),
  ...(claims.custom_claim === undefined ? {} : { custom_claim: claims.custom_claim }),
  test: claims.test,
})

const describeRefreshToken = (
  { family, expiresAt }: StoredRefreshToken,
  credential: Credential,
  issuer: string,
) => ({
  active: true,
  scope: family.scope,
  client_id: credential.clientId,
  exp: toSeconds(expiresAt),
  sub: family.owner?.id ?? credential.clientId,
  iss: issuer,
  ...(family.owner === undefined ? {} : { owner: family.owner }),
  test: credential.mode === 'test',
})

const introspectRefreshToken = async (token: string, client: AuthenticatedClient, deps: IntrospectDeps) => {
  const found = await deps.refreshTokens.find(token)
  if (found === undefined || found.isFamilyRevoked || found.usedAt !== undefined) return INACTIVE
  if (found.isSiblingUsed) return INACTIVE
  if (deps.clock.now() >= found.expiresAt) return INACTIVE
  const credential = await deps.findCredentialById(found.family.credentialId)
  if (credential === undefined || credential.isDisabled) return INACTIVE
  if (credential.organization.id !== client.credential.organization.id) return INACTIVE
  return (await isOfPresentOwner(found.family, credential, deps))
    ? describeRefreshToken(found, credential, deps.issuer)
    : INACTIVE
}

/** As a refresh would find it. */
const isOfPresentOwner = async (
  family: StoredRefreshToken['family'],
  credential: Credential,
  deps: OwnerReaders,
): Promise<boolean> => {
  if (family.owner === undefined) return true
  const current = await findCurrentOwner(family.owner, { credential }, deps)
  return current !== undefined && isOfPresentPassword(family, current)
}

/** A token is of no use once its customer or user is gone, or its customer has another password. */
const hasOwner = async (claims: AccessTokenClaims, deps: OwnerReaders): Promise<boolean> => {
  const { owner, organization, test } = claims
  if (owner === undefined) return true
  const environment = { organizationId: organization.id, mode: test ? 'test' : 'live' } as const
  const found = await findOwner(owner, environment, deps)
  return found !== undefined && isOfPresentSignIn(claims, found)
}

export const introspectToken = async (token: string, client: AuthenticatedClient, deps: IntrospectDeps) => {
  const claims = await readLiveToken(token, deps)
  if (claims === undefined) return introspectRefreshToken(token, client, deps)
  if (claims.organization.id !== client.credential.organization.id) return INACTIVE
  return (await hasOwner(claims, deps)) ? describeAccessToken(claims) : INACTIVE
}
