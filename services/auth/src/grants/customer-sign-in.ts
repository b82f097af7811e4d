/** A customer's email and password → the customer, within the limits on wrong passwords. */
import { createHash } from 'node:crypto'
import type { KeyValue } from '@merx/key-value/key-value'
import { limitedAddress } from '@merx/rate-limit/client-address'
import { normalizeEmail } from '@merx/validation/normalize'
import { tooManyAttempts } from '../clients/client-attempts.ts'
import type { Customer } from '../core/core-answers.ts'
import type { Core, Environment } from '../core/core-client.ts'
import type { PasswordAttempts } from '../guessing/password-attempts.ts'

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
  readonly attempts: PasswordAttempts
}

/** An address where an account signed in is known for this long. */
const KNOWN_SECONDS = 30 * 24 * 3600

/** Digests: whoever reads the counters learns no email. */
const digestOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('base64url')

export const createCustomerSignIn =
  ({ core, keyValue, attempts }: CustomerSignInDeps): CustomerSignIn =>
  async (environment, { email, password, address }) => {
    const from = limitedAddress(address)
    const account = digestOf(environment.organizationId, environment.mode, normalizeEmail(email.trim()))
    const known = `signed-in:${digestOf(account, from)}`
    const isKnown = (await keyValue.get(known)) !== undefined
    const outcome = await attempts(
      { account, address, accountsOfAddress: 'customersOfAddress', knownPlace: isKnown ? from : undefined },
      (isGuessing) => core.authenticateCustomer(environment, { email, password, isGuessing }),
    )
    if (outcome.kind === 'limited') throw tooManyAttempts(outcome.retryAfterSeconds)
    if (outcome.kind === 'wrong') return undefined
    await keyValue.set(known, '1', { ttlSeconds: KNOWN_SECONDS })
    return outcome.value
  }
