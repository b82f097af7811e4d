/**
 * A customer's email and password → the customer, within limits on wrong guesses (docs/adr: guessing). Every attempt
 * counts before the password is looked at, so that a thousand at once are a thousand; a right one is given back.
 */
import { createHash } from 'node:crypto'
import type { KeyValue } from '@merx/key-value/key-value'
import { limitedAddress } from '@merx/rate-limit/client-address'
import type { KeyLimiter } from '@merx/rate-limit/create-limiter'
import { tooManyAttempts } from '../clients/client-attempts.ts'
import type { Core, Customer, Environment } from '../core/core-client.ts'

export interface CustomerLogin {
  readonly email: string
  readonly password: string
  /** Where the request came from. */
  readonly address: string | undefined
}

/** Undefined when there is no such customer or the password is wrong. @throws AppError oauth_too_many_requests */
export type CustomerSignIn = (environment: Environment, login: CustomerLogin) => Promise<Customer | undefined>

export interface CustomerSignInDeps {
  readonly core: Pick<Core, 'authenticateCustomer'>
  readonly keyValue: Pick<KeyValue, 'get' | 'set'>
  readonly limits: {
    readonly passwordFromAddress: KeyLimiter
    readonly passwordFromStrangers: KeyLimiter
    readonly passwordsOfAddress: KeyLimiter
  }
}

/** An address an account signed in from does not count among strangers for this long. */
const KNOWN_SECONDS = 30 * 24 * 3600

type Counted = readonly [limiter: KeyLimiter, key: string]

/** Digests: whoever reads the counters learns no email. */
const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('base64url')

const giveBack = async (counted: readonly Counted[]): Promise<void> => {
  await Promise.all(counted.map(([limiter, key]) => limiter.giveBack(key)))
}

/** One after the other: what an earlier limit refuses does not use up a later one. */
const countAll = async (counted: readonly Counted[]): Promise<void> => {
  for (const [limiter, key] of counted) {
    const { isAllowed, retryAfterSeconds } = await limiter.consume(key)
    if (!isAllowed) throw tooManyAttempts(retryAfterSeconds)
  }
}

export const createCustomerSignIn = ({ core, keyValue, limits }: CustomerSignInDeps): CustomerSignIn => {
  return async (environment, { email, password, address }) => {
    const from = limitedAddress(address)
    const account = digestOf(environment.organizationId, environment.mode, email.trim().toLowerCase())
    const known = `signed-in:${digestOf(account, from)}`
    const isKnown = (await keyValue.get(known)) !== undefined
    const counted: readonly Counted[] = [
      [limits.passwordsOfAddress, from],
      [limits.passwordFromAddress, `${account} ${from}`],
      ...(isKnown ? [] : [[limits.passwordFromStrangers, account] as const]),
    ]
    await countAll(counted)
    const customer = await core
      .authenticateCustomer(environment, { email, password })
      .catch(async (error: unknown) => {
        await giveBack(counted) // core was away: nobody guessed
        throw error
      })
    if (customer === undefined) return undefined
    await Promise.all([giveBack(counted), keyValue.set(known, '1', { ttlSeconds: KNOWN_SECONDS })])
    return customer
  }
}
