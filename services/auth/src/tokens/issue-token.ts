/** Issues the token that a grant allows and builds the body of the response (auth.md 2.3). */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import { currentContext } from '@merx/telemetry/request-context'
import type { TokenEvents, TokenIssued } from '../audit/token-events.ts'
import type { AuthenticatedClient } from '../clients/credential.ts'
import { lifetimeSecondsOf } from '../clients/lifetimes.ts'
import type { GrantName } from '../grants/grant-names.ts'
import type { Granted } from '../grants/grant.ts'
import { countToken } from '../telemetry.ts'
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
  readonly revocations: Pick<RevocationList, 'isCutOff' | 'isKeyWithdrawn' | 'earliestIssueSeconds'>
  /** Called with every token that was signed and returned. */
  readonly events: Pick<TokenEvents, 'record'>
  readonly clock: Clock
}

export interface Issue {
  readonly client: AuthenticatedClient
  readonly grant: GrantName
  readonly granted: Granted
}

export const issueToken = async (issue: Issue, deps: IssueDeps): Promise<TokenAnswer> => {
  const { client, granted } = issue
  const { scope, owner } = granted
  const { access, isNew } = await accessTokenFor(client, granted, deps)
  const refreshToken = await refreshTokenFor(client, granted, access, deps)
  if (isNew) deps.events.record(toEvent(issue, access))
  countToken(issue.grant, isNew)
  return {
    access_token: access.token,
    token_type: 'bearer',
    expires_in: secondsLeft(access, deps.clock),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    scope: scope.text,
    created_at: access.issuedAtSeconds,
    ...(owner === undefined ? {} : { owner_id: owner.id, owner_type: owner.type.toLowerCase() }),
  }
}

const toEvent = (
  { client: { credential }, grant, granted }: Issue,
  { tokenId }: AccessToken,
): TokenIssued => {
  const context = currentContext()
  return {
    outcome: 'issued',
    grant,
    clientId: credential.clientId,
    organizationId: credential.organization.id,
    owner: granted.owner,
    tokenId,
    origin: context?.clientAddress ?? 'unknown',
    requestId: context?.requestId,
  }
}

/** Never more than the lifetime, though `iat` may be a moment ahead (earliestIssueSeconds). */
const secondsLeft = ({ issuedAtSeconds, expiresAtSeconds }: AccessToken, clock: Clock): number =>
  expiresAtSeconds - Math.max(issuedAtSeconds, Math.floor(clock.now().getTime() / 1000))

const accessTokenFor = async (
  client: AuthenticatedClient,
  { isReusable, scope, owner, signIn, role, customClaim }: Granted,
  { mint, reusableTokens, revocations, clock }: IssueDeps,
): Promise<{ access: AccessToken; isNew: boolean }> => {
  const identity = buildIdentity({ client, scope, owner, role, customClaim })
  const lifetimeSeconds = lifetimeSecondsOf(client.credential)
  let mintedId: string | undefined
  const mintNew = async () => {
    const notBeforeSeconds = requireEnabled(identity, revocations, clock)
    const isTest = client.credential.mode === 'test'
    const signedInAtSeconds = signIn?.atSeconds
    const minted = await mint(identity, { isTest, lifetimeSeconds, notBeforeSeconds, signedInAtSeconds })
    mintedId = minted.tokenId
    return minted
  }
  const isAlive = (token: AccessToken) =>
    !revocations.isCutOff(identity, token.issuedAtSeconds) &&
    (signIn === undefined || isOfSameSignIn(token, signIn))
  const access = isReusable
    ? await reusableTokens.findOrMint(reuseKey(identity, lifetimeSeconds), mintNew, isAlive)
    : await mintNew()
  requireStillEnabled(identity, access, revocations)
  return { access, isNew: access.tokenId === mintedId }
}

/** Far below the age at which core asks a customer to sign in again, so that whoever just did is not asked. */
const SIGN_IN_REUSE_SECONDS = 300

/** A token says when its customer signed in, so it is not handed out for a much later sign-in. */
const isOfSameSignIn = (
  { signedInAtSeconds = 0 }: AccessToken,
  { atSeconds, notBeforeSeconds }: NonNullable<Granted['signIn']>,
): boolean => signedInAtSeconds >= Math.max(notBeforeSeconds, atSeconds - SIGN_IN_REUSE_SECONDS)

/** It was enabled when this request began; a token that services refuse must not be answered. */
const refuseCutOff = (
  { application }: TokenIdentity,
  issuedAtSeconds: number,
  revocations: IssueDeps['revocations'],
): AppError =>
  revocations.isCutOff({ application }, issuedAtSeconds)
    ? new AppError('invalid_client', { cause: 'disabled while the token was made' })
    : new AppError('invalid_grant', {
        detail: 'The provided grant is invalid: the tokens of its user were ended meanwhile.',
      })

/** `iat` has whole seconds, so tokens of the rest of the second in which a credential was enabled bear the next. */
const IAT_AHEAD_SECONDS_MAX = 1

/** @returns what `iat` may not be before. */
const requireEnabled = (
  identity: TokenIdentity,
  revocations: IssueDeps['revocations'],
  clock: Clock,
): number => {
  const earliest = revocations.earliestIssueSeconds(identity)
  const latest = Math.floor(clock.now().getTime() / 1000) + IAT_AHEAD_SECONDS_MAX
  if (earliest > latest) throw refuseCutOff(identity, latest, revocations)
  return earliest
}

const requireStillEnabled = (
  identity: TokenIdentity,
  { issuedAtSeconds, kid }: AccessToken,
  revocations: IssueDeps['revocations'],
): void => {
  if (revocations.isCutOff(identity, issuedAtSeconds))
    throw refuseCutOff(identity, issuedAtSeconds, revocations)
  if (!revocations.isKeyWithdrawn(kid)) return
  throw new AppError('oauth_unavailable', {
    cause: 'the signing key was withdrawn while the token was made',
    headers: { 'Retry-After': '1' },
  })
}

const refreshTokenFor = (
  client: AuthenticatedClient,
  { refresh, scope, owner, customClaim }: Granted,
  access: AccessToken,
  { refreshTokens }: IssueDeps,
): Promise<string> | undefined => {
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
        ...(refresh.passwordMark === undefined ? {} : { passwordMark: refresh.passwordMark }),
      }
      return refreshTokens.begin(family, access)
    }
  }
}
