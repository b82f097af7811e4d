/** Gives a session whose access token is good for a while: refreshes it before it ends, once for all callers at a time. */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Application } from '../applications.ts'
import { AuthUnavailable, GrantRefused, type AuthorizationServer } from '../sign-in/authorization-server.ts'
import type { Session, Sessions } from './sessions.ts'

/** The page comes back for the next token before this one ends. */
const LEFT_SECONDS_MIN = 300

export interface FreshSessionDeps {
  readonly sessions: Sessions
  readonly server: Pick<AuthorizationServer, 'refresh'>
  readonly findApplication: (organization: string, mode: string) => Application | undefined
  readonly clock: Clock
  readonly log: Logger
}

/** @returns undefined when there is no such session, or the authorization server has ended it */
export type FindFreshSession = (
  id: string | undefined,
  address: string | undefined,
) => Promise<Session | undefined>

export const createFindFreshSession = (deps: FreshSessionDeps): FindFreshSession => {
  const { sessions, server, findApplication, clock, log } = deps
  const underWay = new Map<string, Promise<Session | undefined>>()

  const refresh = async (
    id: string,
    session: Session,
    address: string | undefined,
  ): Promise<Session | undefined> => {
    const application = findApplication(session.organization, session.mode)
    if (application === undefined) {
      await sessions.end(id)
      return undefined
    }
    try {
      const tokens = await server.refresh(application, session.tokens.refreshToken, address)
      const refreshed = { ...session, tokens }
      await sessions.update(id, refreshed)
      return refreshed
    } catch (error) {
      if (error instanceof GrantRefused) {
        log.info({ err: error }, 'a session ended: its refresh token is refused')
        await sessions.end(id)
        return undefined
      }
      // Auth is unavailable: what is left of the token serves on.
      const isOver = session.tokens.expiresAtSeconds * 1_000 <= clock.now().getTime()
      if (!(error instanceof AuthUnavailable) || isOver) throw error
      log.warn({ err: error }, 'could not refresh a token that has not ended yet')
      return session
    }
  }

  return async (id, address) => {
    const session = await sessions.find(id)
    if (session === undefined || id === undefined) return undefined
    const left = session.tokens.expiresAtSeconds - clock.now().getTime() / 1_000
    if (left > LEFT_SECONDS_MIN) return session
    const running = underWay.get(id)
    if (running !== undefined) return running
    const started = refresh(id, session, address).finally(() => underWay.delete(id))
    underWay.set(id, started)
    return started
  }
}
