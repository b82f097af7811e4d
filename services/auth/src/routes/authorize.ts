/** GET and POST /oauth/authorize: the page on which a user signs in and consents (RFC 6749 4.1.1, RFC 9700). */
import { AppError } from '@merx/errors/app-error'
import { formBody } from '@merx/http/json-body'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { Account, AccountReader } from '../authorize/account.ts'
import { codeUrl, errorUrl } from '../authorize/answer-url.ts'
import {
  parseAuthorizationRequest,
  parseTarget,
  toQuery,
  type AuthorizationRequest,
} from '../authorize/authorization-request.ts'
import type { DemoUsers } from '../authorize/demo-users.ts'
import type { Session, Sessions } from '../authorize/sessions.ts'
import type { SignIn, SignInOutcome } from '../authorize/sign-in.ts'
import type { CredentialReader } from '../clients/credential.ts'
import type { AuthorizationCodes } from '../grants/authorization-codes.ts'
import { parseNamed } from '../grants/token-parameters.ts'
import { consentPage } from '../pages/consent-page.ts'
import { signInPage, type FieldName, type SignInProblem } from '../pages/sign-in-page.ts'
import type { ScopeFactsReader } from '../scopes/resolve-scope.ts'
import { answerAuthorizeErrors, setTarget, type AuthorizeErrorDeps } from './authorize-errors.ts'
import { readCookie, setCookie } from './cookies.ts'
import { redirect, sendPage } from './send-page.ts'

export interface AuthorizeRouteDeps extends AuthorizeErrorDeps {
  readonly credentials: CredentialReader
  readonly scopeFacts: ScopeFactsReader
  readonly accounts: Pick<AccountReader, 'findById' | 'organizationName'>
  readonly demoUsers: DemoUsers
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly codes: Pick<AuthorizationCodes, 'create'>
  readonly limit: RequestHandler
}

const PATH = '/oauth/authorize'
const SESSION_COOKIE = 'merx_session'
const BROWSER_COOKIE = 'merx_browser'
const BROWSER_SECONDS = 180 * 24 * 3600
const BODY_BYTES_MAX = 16_384
const FORM_LENGTH_MAX = { csrf_token: 64, action: 16, email: 320, password: 1_024 } as const

type Form = Partial<Record<keyof typeof FORM_LENGTH_MAX, string>>

/** One request of a browser: what is asked, who asks, and how to answer. */
interface Visit {
  readonly req: Request
  readonly res: Response
  readonly request: AuthorizationRequest
  readonly session: Session
  readonly deps: AuthorizeRouteDeps
}

const readForm = formBody({
  limitBytes: BODY_BYTES_MAX,
  wrongType: 'oauth_form_refused',
  malformed: 'oauth_form_refused',
  tooLarge: 'oauth_payload_too_large',
})

/** Its violations go to the application from here on, when the target is known and they are the application's. */
const readRequest = async (
  req: Request,
  res: Response,
  { credentials, scopeFacts }: AuthorizeRouteDeps,
): Promise<AuthorizationRequest> => {
  const target = await parseTarget(req.query, credentials)
  const clearTarget = setTarget(res, target)
  const request = await parseAuthorizationRequest(req.query, target, scopeFacts)
  clearTarget()
  return request
}

const selfUrl = (request: AuthorizationRequest): string => `${PATH}?${toQuery(request)}`

const beginSession = (
  { req, res, deps }: Pick<Visit, 'req' | 'res' | 'deps'>,
  account?: Account,
): Session => {
  const session = deps.sessions.begin(account)
  setCookie(req, res, { name: SESSION_COOKIE, value: deps.sessions.toCookie(session) })
  return session
}

/** The signed-in user, as long as there is one in this organization whose password is still the same. */
const findAccount = async ({ session, request, deps }: Visit): Promise<Account | undefined> => {
  const organizationId = request.credential.organization.id
  if (session.user?.organizationId !== organizationId) return undefined
  const account = await deps.accounts.findById(organizationId, session.user.userId)
  return account !== undefined && deps.sessions.isOf(session, account) ? account : undefined
}

const formOf = ({ request, session, deps }: Visit) => ({
  action: selfUrl(request),
  csrfToken: deps.sessions.csrfToken(session, toQuery(request)),
})

const showSignIn = async (visit: Visit, email?: string, problem?: SignInProblem): Promise<void> => {
  const { request, res, deps } = visit
  const denied = new AppError('access_denied')
  const page = signInPage({
    applicationName: request.credential.name,
    organizationName: await deps.accounts.organizationName(request.credential.organization.id),
    ...formOf(visit),
    cancelUrl: errorUrl(request, denied, deps.issuer),
    demoUsers: deps.demoUsers(request.credential.organization.slug),
    email,
    problem,
  })
  sendPage(res, page)
}

const showConsent = async (visit: Visit, { user }: Account): Promise<void> => {
  const { request, res, deps } = visit
  const { credential, redirectUri, scopeText } = request
  const page = consentPage({
    applicationName: credential.name,
    organizationName: await deps.accounts.organizationName(credential.organization.id),
    mode: credential.mode,
    user,
    scopeText,
    redirectUri,
    ...formOf(visit),
  })
  sendPage(res, page)
}

const handlePage =
  (deps: AuthorizeRouteDeps): RequestHandler =>
  async (req, res) => {
    const request = await readRequest(req, res, deps)
    const known = deps.sessions.fromCookie(readCookie(req, SESSION_COOKIE))
    const session = known ?? beginSession({ req, res, deps })
    const visit = { req, res, request, session, deps }
    const account = await findAccount(visit)
    await (account === undefined ? showSignIn(visit) : showConsent(visit, account))
  }

const problemOf = (outcome: Exclude<SignInOutcome, { kind: 'signed_in' }>, res: Response): SignInProblem => {
  if (outcome.kind === 'refused') return { kind: 'refused' }
  res.setHeader('Retry-After', outcome.retryAfterSeconds)
  return { kind: 'limited', minutes: Math.ceil(outcome.retryAfterSeconds / 60) }
}

const signIn = async (visit: Visit, { email = '', password = '' }: Form): Promise<void> => {
  const { req, res, request, deps } = visit
  const missing: FieldName[] = [
    ...(email.trim() === '' ? (['email'] as const) : []),
    ...(password === '' ? (['password'] as const) : []),
  ]
  if (missing.length > 0) return showSignIn(visit, email, { kind: 'incomplete', missing })
  const outcome = await deps.signIn({
    organizationId: request.credential.organization.id,
    email,
    password,
    address: req.ip,
    knownBrowser: readCookie(req, BROWSER_COOKIE),
  })
  if (outcome.kind !== 'signed_in') return showSignIn(visit, email, problemOf(outcome, res))
  beginSession(visit, outcome.account)
  setCookie(req, res, { name: BROWSER_COOKIE, value: outcome.knownBrowser, seconds: BROWSER_SECONDS })
  redirect(res, selfUrl(request))
}

const allow = async (visit: Visit): Promise<void> => {
  const { res, request, deps } = visit
  const account = await findAccount(visit)
  if (account === undefined) return redirect(res, selfUrl(request)) // signed out since: signs in again
  const { credential, redirectUri, scopeText, codeChallenge } = request
  const code = await deps.codes.create({
    clientId: credential.clientId,
    userId: account.user.id,
    passwordMark: account.user.passwordMark,
    redirectUri,
    ...(scopeText === undefined ? {} : { scope: scopeText }),
    ...(codeChallenge === undefined ? {} : { codeChallenge }),
  })
  redirect(res, codeUrl(request, code, deps.issuer))
}

const deny = async ({ res, request, deps }: Visit): Promise<void> =>
  redirect(res, errorUrl(request, new AppError('access_denied'), deps.issuer))

const signOut = async (visit: Visit): Promise<void> => {
  beginSession(visit)
  redirect(visit.res, selfUrl(visit.request))
}

const ACTIONS = new Map<string | undefined, (visit: Visit, form: Form) => Promise<void>>([
  ['sign_in', signIn],
  ['allow', allow],
  ['deny', deny],
  ['sign_out', signOut],
])

const handleForm =
  (deps: AuthorizeRouteDeps): RequestHandler =>
  async (req, res) => {
    const request = await readRequest(req, res, deps)
    const form = parseNamed(req.body ?? {}, FORM_LENGTH_MAX)
    const session = deps.sessions.fromCookie(readCookie(req, SESSION_COOKIE))
    const act = ACTIONS.get(form.action)
    if (act === undefined || session === undefined) throw new AppError('oauth_form_refused')
    if (!deps.sessions.isCsrfToken(form.csrf_token, session, toQuery(request)))
      throw new AppError('oauth_form_refused')
    await act({ req, res, request, session, deps }, form)
  }

export const authorizeRoutes = (deps: AuthorizeRouteDeps): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route(PATH)
    .get(deps.limit, handlePage(deps))
    .post(deps.limit, readForm, handleForm(deps))
    .all(methodNotAllowed(['GET', 'POST'], 'oauth_method_not_allowed'))
  router.use(PATH, answerAuthorizeErrors(deps))
  return router
}
