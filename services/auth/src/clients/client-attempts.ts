/**
 * Wrong client authentications, counted by client and address and by address. A secret has 256 random bits, so nobody
 * guesses one; what this ends is the noise. Nothing is counted by client alone: client ids are public, and whoever knows
 * one must not be able to shut its owner out.
 */
import { AppError } from '@merx/errors/app-error'
import { limitedAddress } from '@merx/rate-limit/client-address'
import type { Clock } from '@merx/telemetry/clock'
import { LRUCache } from 'lru-cache'
import type { SecretLimits } from '../limits.ts'

export interface ClientAttemptsDeps {
  readonly limits: SecretLimits
  readonly clock: Clock
}

export interface ClientAttempts {
  /**
   * Looks at this process only, so that right requests cost nothing.
   * @throws AppError oauth_too_many_requests with Retry-After
   */
  requireRoom(clientId: string, address: string | undefined): void
  /** @throws AppError oauth_too_many_requests with Retry-After when it was one too many. */
  countFailure(clientId: string, address: string | undefined): Promise<void>
}

const BLOCKED_MAX = 50_000

/** One wording for accounts and clients: it tells how long to wait, and nothing about who exists. */
export const tooManyAttempts = (retryAfterSeconds: number): AppError =>
  new AppError('oauth_too_many_requests', {
    detail: `Too many wrong attempts; try again in ${retryAfterSeconds} seconds.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

export const createClientAttempts = ({ limits, clock }: ClientAttemptsDeps): ClientAttempts => {
  /** Key → when it may try again, Unix milliseconds. */
  const blocked = new LRUCache<string, number>({ max: BLOCKED_MAX })

  const block = (key: string, seconds: number): void => {
    blocked.set(key, clock.now().getTime() + seconds * 1_000)
  }

  const secondsBlocked = (key: string): number =>
    Math.max(0, Math.ceil(((blocked.get(key) ?? 0) - clock.now().getTime()) / 1_000))

  const keysOf = (clientId: string, address: string | undefined) => {
    const from = limitedAddress(address)
    return { pair: `${from} ${clientId}`, from }
  }

  return {
    requireRoom: (clientId, address) => {
      const { pair, from } = keysOf(clientId, address)
      const seconds = Math.max(secondsBlocked(pair), secondsBlocked(from))
      if (seconds > 0) throw tooManyAttempts(seconds)
    },
    countFailure: async (clientId, address) => {
      const { pair, from } = keysOf(clientId, address)
      const [ofPair, ofAddress] = await Promise.all([
        limits.secretFromAddress.consume(pair),
        limits.secretsOfAddress.consume(from),
      ])
      if (!ofPair.isAllowed) block(pair, ofPair.retryAfterSeconds)
      if (!ofAddress.isAllowed) block(from, ofAddress.retryAfterSeconds)
      const seconds = Math.max(ofPair.retryAfterSeconds, ofAddress.retryAfterSeconds)
      if (seconds > 0) throw tooManyAttempts(seconds)
    },
  }
}
