/** Express middleware: bearer token (RFC 6750) → `callerOf(response)`. */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Request, RequestHandler, Response } from 'express'
import type { Caller } from './caller.ts'
import type { Verifier } from './verifier.ts'

/** Which errors of its dialect a service answers with. */
export interface AuthenticateOptions {
  readonly verifier: Verifier
  /** Whether the host of the request belongs to the organization of the token; without it every host does. */
  readonly isFor?: ((request: Request, slug: string) => boolean) | undefined
  /** The error for a request without a bearer token. */
  readonly missing: ErrorCode
  /** The error for a token that is malformed, expired, revoked, of another issuer or of another organization's host. */
  readonly invalid: ErrorCode
  /** Whether a token is valid cannot be known now. Default `service_unavailable`. */
  readonly unavailable?: ErrorCode
}

/** RFC 6750, 2.1; the scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^Bearer(?: +(.*))?$/i
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/

/** RFC 6750, 3: no error code when the request carried no token at all. */
const CHALLENGE = 'Bearer realm="merx"'
const CHALLENGE_INVALID = `${CHALLENGE}, error="invalid_token", error_description="The access token is invalid or expired"`

/** @example app.use('/api', authenticate({ verifier, missing: 'unauthorized', invalid: 'invalid_token' })) */
export const authenticate = (options: AuthenticateOptions): RequestHandler => {
  const { verifier, isFor = () => true, missing, invalid, unavailable = 'service_unavailable' } = options
  return async (request, response, next) => {
    const given = BEARER.exec(request.get('authorization') ?? '')?.[1]?.trimEnd()
    if (given === undefined || given === '') {
      throw new AppError(missing, { headers: { 'WWW-Authenticate': CHALLENGE } })
    }
    try {
      if (!TOKEN.test(given))
        throw new AppError('invalid_token', { cause: new Error('not a token of RFC 6750') })
      const caller = await verifier.verify(given)
      if (!isFor(request, caller.organization.slug))
        throw new AppError('invalid_token', { cause: new Error('the host names another organization') })
      response.locals.caller = caller
      response.locals.verifyAgain = () => verifier.verify(given)
    } catch (error) {
      throw translate(error, invalid, unavailable)
    }
    next()
  }
}

/** The verifier's codes in the words of the service. */
const translate = (error: unknown, invalid: ErrorCode, unavailable: ErrorCode): unknown => {
  if (!(error instanceof AppError)) return error
  const { code, cause, detail } = error
  if (code === 'service_unavailable')
    return new AppError(unavailable, { detail, cause, headers: { 'Retry-After': '1' } })
  return new AppError(invalid, { cause, headers: { 'WWW-Authenticate': CHALLENGE_INVALID } })
}

/** Who makes this request. @throws Error when the route is not behind authenticate(), which is a bug. */
export const callerOf = (response: Response): Caller => {
  const { caller } = response.locals as { caller?: Caller }
  if (caller === undefined) throw new Error('callerOf needs a route behind authenticate()')
  return caller
}

/** For answers that go on after the token was checked. Throws AppError `invalid_token` once it is expired or revoked. */
export const verifyAgain = (response: Response): Promise<Caller> => {
  const { verifyAgain: verify } = response.locals as { verifyAgain?: () => Promise<Caller> }
  if (verify === undefined) throw new Error('verifyAgain needs a route behind authenticate()')
  return verify()
}
