/**
 * Email and password → the user, or a refusal that says nothing about which was wrong: the same words, the same work
 * and the same limits, whether or not there is such a user.
 */
import { createHash } from 'node:crypto'
import { isPasswordOf } from '@merx/passwords/passwords'
import { limitedAddress } from '@merx/rate-limit/client-address'
import type { KeyLimiter } from '@merx/rate-limit/create-limiter'
import { createOpaqueToken } from '../clients/client-secret.ts'
import type { Account, AccountReader } from './account.ts'
import type { SignedValues } from './signed-values.ts'

export interface SignInDeps {
  readonly accounts: Pick<AccountReader, 'findByEmail'>
  readonly limits: { readonly account: KeyLimiter; readonly address: KeyLimiter }
  readonly signed: SignedValues
}

export interface SignInAttempt {
  readonly organizationId: string
  readonly email: string
  readonly password: string
  readonly address: string | undefined
  /** What a success in this browser left there. */
  readonly knownBrowser?: string | undefined
}

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly account: Account; readonly knownBrowser: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

export type SignIn = (attempt: SignInAttempt) => Promise<SignInOutcome>

const PURPOSE = 'known browser'

const accountKeyOf = ({ organizationId, email }: SignInAttempt): string =>
  createHash('sha256').update(`${organizationId}\0${email.trim().toLowerCase()}`).digest('base64url')

/**
 * A browser in which this user signed in before counts apart, so that strangers who guess at an account cannot lock
 * its owner out (OWASP, Authentication Cheat Sheet: device cookies).
 */
const limitKeyOf = (accountKey: string, knownBrowser: string | undefined, signed: SignedValues): string => {
  const known = knownBrowser === undefined ? undefined : signed.read(PURPOSE, knownBrowser)
  const { account, browser } = (known ?? {}) as { account?: unknown; browser?: unknown }
  return account === accountKey && typeof browser === 'string' ? `${accountKey}:${browser}` : accountKey
}

export const createSignIn = ({ accounts, limits, signed }: SignInDeps): SignIn => {
  return async (attempt) => {
    const accountKey = accountKeyOf(attempt)
    // The address comes first: what it refuses does not use up the account's attempts.
    const byAddress = await limits.address.consume(limitedAddress(attempt.address))
    if (!byAddress.isAllowed) return { kind: 'limited', retryAfterSeconds: byAddress.retryAfterSeconds }
    const byAccount = await limits.account.consume(limitKeyOf(accountKey, attempt.knownBrowser, signed))
    if (!byAccount.isAllowed) return { kind: 'limited', retryAfterSeconds: byAccount.retryAfterSeconds }
    const account = await accounts.findByEmail(attempt.organizationId, attempt.email.trim().toLowerCase())
    const isRight = await isPasswordOf(account?.passwordHash, attempt.password)
    if (account === undefined || !isRight) return { kind: 'refused' }
    const knownBrowser = signed.sign(PURPOSE, { account: accountKey, browser: createOpaqueToken() })
    return { kind: 'signed_in', account, knownBrowser }
  }
}
