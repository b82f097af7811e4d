/** A token → what it says and whether services accept it now, from the database alone. */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { TOKEN_BYTES_MAX } from '@merx/access-token/verifier'
import { hashOpaqueToken } from '../clients/client-secret.ts'
import { createAccessStateStore } from '../store/access-state-store.ts'
import { toPublicId } from '../store/public-ids.ts'
import { createRefreshTokenStore } from '../store/refresh-token-store.ts'
import { createSigningKeyStore } from '../store/signing-key-store.ts'
import { readOwnToken } from '../tokens/read-own-token.ts'
import type { StoredRefreshToken } from '../tokens/refresh-tokens.ts'
import { createRevocationList } from '../tokens/revocation-list.ts'
import type { Row } from './print.ts'
import type { Session } from './session.ts'

interface Shown {
  /** For --json. */
  readonly full: unknown
  /** For people. */
  readonly flat: Row
}

export type InspectedToken =
  | (Shown & { readonly type: 'access_token'; readonly claims: AccessTokenClaims })
  | (Shown & { readonly type: 'refresh_token'; readonly familyId: bigint; readonly organizationId: string })
  | { readonly type: 'unknown' }

type AccessStatus = 'accepted' | 'expired' | 'revoked' | 'credential or user disabled'

const statusOf = async (
  { jti, exp, iat, application, owner }: AccessTokenClaims,
  { database, clock }: Session,
): Promise<AccessStatus> => {
  if (clock.now().getTime() >= exp * 1_000) return 'expired'
  const revocations = createRevocationList(createAccessStateStore(database), clock)
  await revocations.refresh()
  if (revocations.isRevoked(jti)) return 'revoked'
  const subjects = { application, ...(owner === undefined ? {} : { owner }) }
  return revocations.isCutOff(subjects, iat) ? 'credential or user disabled' : 'accepted'
}

const inspectAccessToken = async (claims: AccessTokenClaims, session: Session): Promise<InspectedToken> => {
  const status = await statusOf(claims, session)
  const { organization, application, owner, role } = claims
  const flat = {
    type: 'access token',
    status,
    id: claims.jti,
    organization: organization.slug,
    mode: claims.test ? 'test' : 'live',
    credential: application.id,
    kind: application.kind,
    scope: claims.scope,
    owner: owner === undefined ? null : `${owner.type} ${owner.id}`,
    role: role === undefined ? null : `${role.kind} ${role.id}`,
    issued_at: new Date(claims.iat * 1_000),
    expires_at: new Date(claims.exp * 1_000),
  }
  return { type: 'access_token', claims, flat, full: { type: 'access_token', status, claims } }
}

/** overtaken: another token, given for the same one within its grace, was used instead; a use of this one is a replay. */
type RefreshStatus = 'accepted' | 'revoked' | 'expired' | 'used' | 'overtaken'

const refreshStatusOf = (found: StoredRefreshToken, now: Date): RefreshStatus => {
  if (found.isFamilyRevoked) return 'revoked'
  if (now >= found.expiresAt) return 'expired'
  if (found.usedAt !== undefined) return 'used'
  return found.isSiblingUsed ? 'overtaken' : 'accepted'
}

const inspectRefreshToken = async (token: string, { database, clock }: Session): Promise<InspectedToken> => {
  const tokenHash = hashOpaqueToken(token)
  const found = await createRefreshTokenStore(database).findByHash(tokenHash)
  const row = await database.refreshToken.findUnique({
    where: { tokenHash },
    include: { family: { include: { credential: { include: { organization: true } } } } },
  })
  if (found === undefined || row === null) return { type: 'unknown' }
  const { family, expiresAt, usedAt } = row
  const { credential } = family
  const status = refreshStatusOf(found, clock.now())
  const full = {
    type: 'refresh_token',
    status,
    family: String(family.id),
    organization: credential.organization.slug,
    mode: credential.mode,
    credential: toPublicId('applications', credential.id),
    grant: family.grantName,
    scope: family.scope,
    owner: family.ownerId === null ? null : `${family.ownerType ?? ''} ${family.ownerId}`,
    created_at: row.createdAt,
    used_at: usedAt,
    expires_at: expiresAt,
  }
  const organizationId = toPublicId('organizations', credential.organizationId)
  return { type: 'refresh_token', familyId: family.id, organizationId, full, flat: full }
}

export const inspectToken = async (token: string, session: Session): Promise<InspectedToken> => {
  if (token.length > TOKEN_BYTES_MAX) return { type: 'unknown' }
  const keys = await createSigningKeyStore(session.database).listPublished(session.clock.now())
  const claims = await readOwnToken(token, {
    keySet: () => ({ keys: keys.map(({ publicJwk }) => publicJwk) }),
  })
  return claims === undefined ? inspectRefreshToken(token, session) : inspectAccessToken(claims, session)
}
