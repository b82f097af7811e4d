/** What a grant allows → the body of the answer (auth.md 2.3). */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import type { AuthenticatedClient } from '../clients/credential.ts'
import { lifetimeSecondsOf } from '../clients/lifetimes.ts'
import type { Granted } from '../grants/grant.ts'
import type { AccessToken } from './access-token.ts'
import { buildIdentity, type TokenIdentity } from './claims.ts'
import type { MintAccessToken } from './mint-access-token.ts'
import type { RefreshFamily, RefreshTokens } from './refresh-tokens.ts'
import type { ReusableTokens } from './reusable-tokens.ts'
import { reuseKey } from './reuse-key.ts'
import type { RevocationList } from './revocation-list.ts'

/** Keys in the order of the documentation. */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'bearer'
  /** Seconds left, not the configured lifetime. */
  readonly expires_in: number
  readonly refresh_token?: string
  readonly scope: string
  readonly created_at: number
  readonly owner_id?: string
  readonly owner_type?: string
}

export interface IssueDeps {
  readonly mint: MintAccessToken
  readonly reusableTokens: Pick<ReusableTokens, 'findOrMint'>
  readonly refreshTokens: Pick<RefreshTokens, 'begin' | 'rotate'>
  readonly revocations: Pick<RevocationList, 'isCutOff'>
  readonly clock: Clock
}

export const issueToken = async (
  client: AuthenticatedClient,
  granted: Granted,
  deps: IssueDeps,
): Promise<TokenAnswer> => {
  const { scope, owner, role, customClaim } = granted
  const access = await accessTokenFor(client, granted, deps, { scope, owner, role, customClaim })
  const refreshToken = await refreshTokenFor(client, granted, access, deps)
  return {
    access_token: access.token,
    token_type: 'bearer',
    expires_in: access.expiresAtSeconds - Math.floor(deps.clock.now().getTime() / 1000),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    scope: scope.text,
    created_at: access.issuedAtSeconds,
    ...(owner === undefined ? {} : { owner_id: owner.id, owner_type: owner.type.toLowerCase() }),
  }
}

const accessTokenFor = async (
  client: AuthenticatedClient,
  { isReusable }: Granted,
  { mint, reusableTokens, revocations }: IssueDeps,
  subject: Pick<Granted, 'scope' | 'owner' | 'role' | 'customClaim'>,
): Promise<AccessToken> => {
  const identity = buildIdentity({ client, ...subject })
  const lifetimeSeconds = lifetimeSecondsOf(client.credential)
  const mintNew = () => mint(identity, { isTest: client.credential.mode === 'test', lifetimeSeconds })
  const isAlive = (token: AccessToken) => !revocations.isCutOff(identity, token.issuedAtSeconds)
  const access = isReusable
    ? await reusableTokens.findOrMint(reuseKey(identity, lifetimeSeconds), mintNew, isAlive)
    : await mintNew()
  requireStillEnabled(identity, access, revocations)
  return access
}

/** It was enabled when this request began; a token that services refuse must not be answered. */
const requireStillEnabled = (
  identity: TokenIdentity,
  { issuedAtSeconds }: AccessToken,
  revocations: IssueDeps['revocations'],
): void => {
  if (revocations.isCutOff(identity, issuedAtSeconds))
    throw new AppError('invalid_client', { cause: 'disabled while the token was made' })
}

const refreshTokenFor = async (
  client: AuthenticatedClient,
  { refresh, scope, owner, customClaim }: Granted,
  access: AccessToken,
  { refreshTokens }: IssueDeps,
): Promise<string | undefined> => {
  switch (refresh.kind) {
    case 'none':
      return undefined
    case 'rotate':
      return refreshTokens.rotate(refresh.used, access, client)
    case 'begin': {
      const family: RefreshFamily = {
        credentialId: client.credential.id,
        scope: scope.text,
        grant: refresh.grant,
        ...(owner === undefined ? {} : { owner }),
        ...(customClaim === undefined ? {} : { customClaim }),
      }
      return refreshTokens.begin(family, access)
    }
  }
}
