/**
 * Sign-ins under way, kept by the browser in a sealed cookie: nothing is stored for a caller who is nobody yet, and only
 * the browser that began a sign-in can end it.
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Application, Mode } from '../applications.ts'
import { createSeal } from '../seal.ts'
import type { Attempt } from './authorization-server.ts'

export const PENDING_SECONDS = 900

export interface PendingSignIn extends Attempt {
  readonly organization: string
  readonly mode: Mode
  /** Path within the console. */
  readonly returnTo: string
  readonly startedAtSeconds: number
}

export interface PendingSignIns {
  toCookie(pending: Omit<PendingSignIn, 'startedAtSeconds'>): string
  /** Undefined when it is not ours or took too long. */
  fromCookie(text: string | undefined): PendingSignIn | undefined
}

/** Every replica has the same credentials, so each reads what another one sealed. */
export const createPendingSignIns = (applications: readonly Application[], clock: Clock): PendingSignIns => {
  const { seal, open } = createSeal(
    applications.map(({ clientSecret }) => clientSecret).join('\n'),
    'sign-in',
  )
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1_000)
  return {
    toCookie: (pending) => seal({ ...pending, startedAtSeconds: nowSeconds() }),
    fromCookie: (text) => {
      // Authentic, and only this file seals it.
      const pending = text === undefined ? undefined : (open(text) as PendingSignIn | undefined)
      return pending !== undefined && nowSeconds() - pending.startedAtSeconds < PENDING_SECONDS
        ? pending
        : undefined
    },
  }
}
