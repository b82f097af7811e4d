/** GET /console/sign-in and its callback: the authorization code flow with PKCE (RFC 6749 4.1, RFC 7636, RFC 9700). */
import { AppError } from '@merx/errors/app-error'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { addressOf } from '@merx/rate-limit/limit-requests'
import type { Logger } from '@merx/telemetry/logger'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import { CALLBACK_PATH, type Application } from '../applications.ts'
import { SESSION_SECONDS, type Sessions } from '../sessions/sessions.ts'
import {
  AnswerRefused,
  GrantRefused,
  newAttempt,
  type AuthorizationServer,
} from '../sign-in/authorization-server.ts'
import { PENDING_SECONDS, type PendingSignIn, type PendingSignIns } from '../sign-in/pending-sign-ins.ts'
import { countSignIn } from '../telemetry.ts'
import { clearCookie, readCookie, SESSION_COOKIE, setCookie, SIGN_IN_COOKIE } from './cookies.ts'
import { redirect } from './redirect.ts'
import { originOf } from './same-origin.ts'

export interface SignInDeps {
  readonly log: Logger
  readonly findApplication: (organization: string, mode: string) => Application | undefined
  readonly pending: PendingSignIns
  readonly sessions: Sessions
  readonly server: AuthorizationServer
  readonly endSession: (id: string | undefined) => Promise<void>
  readonly limit: RequestHandler
}

export const HOME_PATH = '/console/'

/** What the page is told of a sign-in that did not work. */
export const SIGN_IN_PROBLEMS = ['cancelled', 'expired', 'failed'] as const
type SignInProblem = (typeof SIGN_IN_PROBLEMS)[number]

const RETURN_TO = /^\/console\/[\w/?=&%.~+*-]*$/
/** The longest question to metrics that can be saved, with its path; the cookie that holds it has room for 4 kB. */
const RETURN_TO_MAX = 2_048

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A path of the console, so that nobody can make this a redirect to elsewhere (RFC 9700 4.11). */
const returnToOf = (value: unknown): string => {
  const path = textOf(value)
  return path.length <= RETURN_TO_MAX && RETURN_TO.test(path) && !path.includes('//') ? path : HOME_PATH
}

const begin =
  ({ findApplication, pending, server }: SignInDeps): RequestHandler =>
  async (req, res) => {
    const { organization, mode, return_to: returnTo } = req.query
    const application = findApplication(textOf(organization), textOf(mode))
    if (application === undefined) throw new AppError('not_found')
    const { origin } = new URL(application.redirectUri)
    // The cookie must be one of the host that the browser comes back to.
    if (originOf(req) !== origin) return redirect(res, `${origin}${req.originalUrl}`)
    const attempt = newAttempt()
    const value = pending.toCookie({
      ...attempt,
      organization: application.organization,
      mode: application.mode,
      returnTo: returnToOf(returnTo),
    })
    setCookie(req, res, SIGN_IN_COOKIE, { value, seconds: PENDING_SECONDS })
    redirect(res, await server.authorizationUrl(application, attempt))
  }

const queryOf = (req: Request): URLSearchParams => new URL(req.originalUrl, 'http://localhost').searchParams

const tell = (res: Response, problem: SignInProblem): void => {
  countSignIn(problem)
  redirect(res, `${HOME_PATH}?sign_in=${problem}`)
}

const problemOf = (error: unknown): SignInProblem | undefined => {
  if (error instanceof AnswerRefused) return error.reason === 'access_denied' ? 'cancelled' : 'failed'
  return error instanceof GrantRefused ? 'failed' : undefined
}

const open = async (req: Request, res: Response, begun: PendingSignIn, deps: SignInDeps): Promise<void> => {
  const application = deps.findApplication(begun.organization, begun.mode)
  if (application === undefined) return tell(res, 'expired')
  const tokens = await deps.server.exchange(application, begun, queryOf(req), addressOf(req))
  await deps.endSession(readCookie(req, SESSION_COOKIE))
  const { organization, mode } = application
  const value = await deps.sessions.begin({ organization, mode, tokens })
  setCookie(req, res, SESSION_COOKIE, { value, seconds: SESSION_SECONDS })
  countSignIn('done')
  redirect(res, begun.returnTo)
}

const handleCallback =
  (deps: SignInDeps): RequestHandler =>
  async (req, res) => {
    const begun = deps.pending.fromCookie(readCookie(req, SIGN_IN_COOKIE))
    clearCookie(req, res, SIGN_IN_COOKIE)
    if (begun === undefined) return tell(res, 'expired')
    try {
      await open(req, res, begun, deps)
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      deps.log.info({ err: error }, 'a sign-in did not work')
      tell(res, problem)
    }
  }

export const signInRoutes = (deps: SignInDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route('/console/sign-in')
    .get(deps.limit, begin(deps))
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  router
    .route(CALLBACK_PATH)
    .get(deps.limit, handleCallback(deps))
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
  return router
}
