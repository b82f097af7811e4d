/**
 * Email and password → the user, or a refusal that says nothing about which was wrong: the same words, the same work
 * and the same limits, whether or not there is such a user.
 */
import { createHash } from 'node:crypto'
import { isPasswordOf } from '@merx/passwords/passwords'
import { normalizeEmail } from '@merx/validation/normalize'
import { createOpaqueToken } from '../clients/client-secret.ts'
import type { PasswordAttempts } from '../guessing/password-attempts.ts'
import type { Account, AccountReader } from './account.ts'
import type { SignedValues } from './signed-values.ts'

export interface SignInDeps {
  readonly accounts: Pick<AccountReader, 'findByEmail'>
  readonly attempts: PasswordAttempts
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
  createHash('sha256')
    .update(`${organizationId}\0${normalizeEmail(email.trim())}`)
    .digest('base64url')

/**
 * A browser in which this user signed in before counts apart, so that other callers who guess at an account cannot lock
 * its owner out (OWASP, Authentication Cheat Sheet: device cookies).
 */
const knownBrowserOf = (
  accountKey: string,
  knownBrowser: string | undefined,
  signed: SignedValues,
): string | undefined => {
  const known = knownBrowser === undefined ? undefined : signed.read(PURPOSE, knownBrowser)
  const { account, browser } = (known ?? {}) as { account?: unknown; browser?: unknown }
  return account === accountKey && typeof browser === 'string' ? browser : undefined
}

export const createSignIn = ({ accounts, attempts, signed }: SignInDeps): SignIn => {
  const check = async ({ organizationId, email, password }: SignInAttempt, isGuessing: boolean) => {
    const account = await accounts.findByEmail(organizationId, normalizeEmail(email.trim()))
    const isRight = await isPasswordOf(account?.passwordHash, password, { isGuessing })
    return isRight ? account : undefined
  }
  return async (attempt) => {
    const accountKey = accountKeyOf(attempt)
    const outcome = await attempts(
      {
        account: accountKey,
        accountsOfAddress: 'usersOfAddress',
        address: attempt.address,
        knownPlace: knownBrowserOf(accountKey, attempt.knownBrowser, signed),
      },
      (isGuessing) => check(attempt, isGuessing),
    )
    if (outcome.kind === 'limited') return outcome
    if (outcome.kind === 'wrong') return { kind: 'refused' }
    const knownBrowser = signed.sign(PURPOSE, { account: accountKey, browser: createOpaqueToken() })
    return { kind: 'signed_in', account: outcome.value, knownBrowser }
  }
}
