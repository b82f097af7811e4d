/** GET /console/session and POST /console/sign-out: what the page may know of its session, and the end of it. */
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { addressOf } from '@merx/rate-limit/limit-requests'
import { Router, type Request, type RequestHandler } from 'express'
import type { Application } from '../applications.ts'
import type { FindFreshSession } from '../sessions/fresh-session.ts'
import type { Session } from '../sessions/sessions.ts'
import { clearCookie, readCookie, SESSION_COOKIE } from './cookies.ts'
import { refuseOtherSites, requireOwnOrigin } from './same-origin.ts'

export interface SessionRouteDeps {
  /** What can be signed in to at the host of the request. */
  readonly applicationsFor: (req: Request) => readonly Application[]
  readonly findSession: FindFreshSession
  readonly endSession: (id: string | undefined) => Promise<void>
  readonly domain: string
  readonly limit: RequestHandler
}

const present = ({ organization, mode, tokens }: Session, domain: string) => ({
  organization,
  mode,
  /** The client of core makes its addresses of these; the page sends all of them to its own origin. */
  domain,
  access_token: tokens.accessToken,
  expires_at: new Date(tokens.expiresAtSeconds * 1_000).toISOString(),
})

const showSession =
  ({ applicationsFor, findSession, domain }: SessionRouteDeps): RequestHandler =>
  async (req, res) => {
    const id = readCookie(req, SESSION_COOKIE)
    const session = await findSession(id, addressOf(req))
    if (session === undefined && id !== undefined) clearCookie(req, res, SESSION_COOKIE)
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    res.json({
      session: session === undefined ? null : present(session, domain),
      environments: applicationsFor(req).map(({ organization, mode }) => ({ organization, mode })),
    })
  }

const signOut =
  ({ endSession }: SessionRouteDeps): RequestHandler =>
  async (req, res) => {
    await endSession(readCookie(req, SESSION_COOKIE))
    clearCookie(req, res, SESSION_COOKIE)
    res.setHeader('Cache-Control', 'no-store')
    res.setHeader('Clear-Site-Data', '"cache"')
    res.status(204).end()
  }

export const sessionRoutes = (deps: SessionRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/console/session')
    .get(deps.limit, refuseOtherSites, showSession(deps))
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  router
    .route('/console/sign-out')
    .post(deps.limit, requireOwnOrigin, signOut(deps))
    .all(methodNotAllowed(['POST'], 'method_not_allowed'))
  return router
}
