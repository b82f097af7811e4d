/** Access tokens for tests, signed with a key of their own: real RS512 tokens that the real verifier accepts. */
import { createHash, randomUUID } from 'node:crypto'
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { systemClock } from '@merx/telemetry/clock'
import type { Clock } from '@merx/telemetry/clock'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { JSONWebKeySet, JWTHeaderParameters, JWTPayload } from 'jose'

/** `undefined` leaves a claim out; anything else, also what auth would never write, goes in as it is. */
export type ClaimOverrides = { readonly [Name in keyof AccessTokenClaims]?: unknown } & Readonly<
  Record<string, unknown>
>

/** An issuer of tokens for tests. */
export interface TokenMint {
  /** `https://auth.merx.localhost` unless given. */
  readonly issuer: string
  /** For `createVerifier({ keySet })` or to be served as jwks.json. */
  readonly keySet: JSONWebKeySet
  readonly kid: string
  /**
   * A token of an integration with the admin role, in test mode, good for two hours, with these claims changed.
   * @param header changes of `{ alg, typ, kid }`
   */
  mint(claims?: ClaimOverrides, header?: Partial<JWTHeaderParameters>): Promise<string>
}

/** Who issues, and when. */
export interface TokenMintOptions {
  readonly issuer?: string
  /** Decides iat and exp. Default the machine's clock. */
  readonly clock?: Clock
}

const LIFETIME_SECONDS = 7200

/** A mint with a fresh 2048-bit key (takes a fraction of a second, so make one per file). */
export const createTokenMint = async (options: TokenMintOptions = {}): Promise<TokenMint> => {
  const { issuer = 'https://auth.merx.localhost', clock = systemClock } = options
  const { publicKey, privateKey } = await generateKeyPair('RS512', { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = createHash('sha256')
    .update(`${jwk.n ?? ''}.${jwk.e ?? ''}`)
    .digest('hex')
  const mint: TokenMint['mint'] = async (claims = {}, header = {}) => {
    const issuedAt = Math.floor(clock.now().getTime() / 1000)
    // Claims of a wrong type are what some tests are about.
    const payload = { ...defaultClaims(issuer, issuedAt), ...claims } as JWTPayload
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS512', typ: 'JWT', kid, ...header })
      .sign(privateKey)
  }
  return { issuer, kid, keySet: { keys: [{ ...jwk, kid, alg: 'RS512', use: 'sig' }] }, mint }
}

const defaultClaims = (issuer: string, issuedAt: number): AccessTokenClaims => ({
  organization: { id: 'enWoxFMOnp', slug: 'the-blue-brand', enterprise: true, region: 'eu-west-1' },
  application: {
    id: 'DNOPYiZYpn',
    client_id: 'aClientIdOfFortyThreeCharacters',
    kind: 'integration',
    public: false,
    confidential: true,
  },
  role: { id: 'rZbnXFNpbw', kind: 'admin' },
  scope: 'market:all',
  exp: issuedAt + LIFETIME_SECONDS,
  test: true,
  rand: 0.5,
  iat: issuedAt,
  iss: issuer,
  jti: randomUUID(),
})
