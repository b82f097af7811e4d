/**
 * Sessions of the authorize page, kept by the browser in a signed cookie, so that they outlive a restart and work on
 * every replica. A session ends after eight hours, and with the password it was begun with.
 */
import type { Clock } from '@merx/telemetry/clock'
import { createOpaqueToken } from '../clients/client-secret.ts'
import type { Account } from './account.ts'
import { isSameText, type SignedValues } from './signed-values.ts'

export const SESSION_SECONDS = 8 * 3600

export interface SignedInUser {
  readonly organizationId: string
  readonly userId: string
  /** Of the password hash: another password, another mark. */
  readonly passwordMark: string
}

export interface Session {
  readonly id: string
  readonly startedAtSeconds: number
  readonly user?: SignedInUser
}

export interface Sessions {
  /** A session with an id of its own: signing in never keeps the id of before (session fixation). */
  begin(account?: Account): Session
  toCookie(session: Session): string
  /** Undefined when it is not ours or is over. */
  fromCookie(text: string | undefined): Session | undefined
  isOf(session: Session, account: Account): boolean
  /** Bound to the session and to one request: what the page showed is what its form confirms. */
  csrfToken(session: Session, requestText: string): string
  isCsrfToken(token: string | undefined, session: Session, requestText: string): boolean
}

const isSession = (value: unknown): value is Session =>
  value !== null &&
  typeof value === 'object' &&
  typeof (value as Partial<Session>).id === 'string' &&
  Number.isSafeInteger((value as Partial<Session>).startedAtSeconds)

export const createSessions = (signed: SignedValues, clock: Clock): Sessions => {
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1000)
  const markOf = ({ passwordHash }: Account): string => signed.digest('password', passwordHash)
  const csrfToken: Sessions['csrfToken'] = ({ id }, requestText) =>
    signed.digest('csrf', `${id}\0${requestText}`)
  return {
    csrfToken,
    isCsrfToken: (token, session, requestText) =>
      token !== undefined && isSameText(token, csrfToken(session, requestText)),
    begin: (account) => ({
      id: createOpaqueToken(),
      startedAtSeconds: nowSeconds(),
      ...(account === undefined
        ? {}
        : {
            user: {
              organizationId: account.organizationId,
              userId: account.user.id,
              passwordMark: markOf(account),
            },
          }),
    }),
    toCookie: (session) => signed.sign('session', session),
    fromCookie: (text) => {
      const value = text === undefined ? undefined : signed.read('session', text)
      return isSession(value) && nowSeconds() - value.startedAtSeconds < SESSION_SECONDS ? value : undefined
    },
    isOf: ({ user }, account) =>
      user?.organizationId === account.organizationId &&
      user.userId === account.user.id &&
      isSameText(user.passwordMark, markOf(account)),
  }
}
