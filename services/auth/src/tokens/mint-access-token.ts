/** Identity → signed access token. */
import { randomInt, randomUUID } from 'node:crypto'
import { TOKEN_BYTES_MAX } from '@merx/access-token/verifier'
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import type { KeyRing } from '../keys/key-ring.ts'
import type { AccessToken } from './access-token.ts'
import { buildClaims, type TokenIdentity } from './claims.ts'
import { encodePayload } from './encode-payload.ts'

export interface MintDeps {
  readonly keys: Pick<KeyRing, 'sign'>
  readonly clock: Clock
  readonly issuer: string
  readonly createTokenId?: () => string
  readonly random?: () => number
}

export interface MintOptions {
  readonly isTest: boolean
  readonly lifetimeSeconds: number
  /** Unix seconds; `iat` is not before it. */
  readonly notBeforeSeconds?: number | undefined
  /** Unix seconds; of customers only. */
  readonly signedInAtSeconds?: number | undefined
}

export type MintAccessToken = (identity: TokenIdentity, options: MintOptions) => Promise<AccessToken>

const RANDOM_STEPS = 2 ** 47

/** 0 <= x < 1, from the system's generator. */
const randomFraction = (): number => randomInt(RANDOM_STEPS) / RANDOM_STEPS

/** Services refuse longer tokens, so one must not be issued: it would fail at every use, far from its cause. */
const requireUsableSize = (token: string): void => {
  if (token.length <= TOKEN_BYTES_MAX) return
  throw new AppError('invalid_request', {
    detail: `The access token would be larger than ${TOKEN_BYTES_MAX} bytes; ask for fewer markets or a smaller custom_claim.`,
  })
}

export const createMint =
  ({ keys, clock, issuer, createTokenId = randomUUID, random = randomFraction }: MintDeps): MintAccessToken =>
  async (identity, { isTest, lifetimeSeconds, notBeforeSeconds = 0, signedInAtSeconds }) => {
    const issuedAtSeconds = Math.max(Math.floor(clock.now().getTime() / 1000), notBeforeSeconds)
    const tokenId = createTokenId()
    const claims = buildClaims(identity, isTest, {
      issuer,
      issuedAtSeconds,
      lifetimeSeconds,
      tokenId,
      signedInAtSeconds,
      random: random(),
    })
    const { token, kid } = await keys.sign(encodePayload(claims))
    requireUsableSize(token)
    return {
      ...{ token, tokenId, kid, issuedAtSeconds, expiresAtSeconds: claims.exp },
      ...(signedInAtSeconds === undefined ? {} : { signedInAtSeconds }),
    }
  }
