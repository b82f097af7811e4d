/** Answers requests by method: 405 for one that a path does not have, and OPTIONS with what it has. */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { RequestHandler, Response } from 'express'

const SERVER_METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

/** HEAD is allowed wherever GET is. */
const withHead = (allowed: readonly string[]): readonly string[] =>
  allowed.includes('GET') && !allowed.includes('HEAD') ? [...allowed, 'HEAD'] : allowed

/** RFC 9110 9.3.7: what may be done with the path, which is no secret and needs no token. */
export const sendAllow = (res: Response, allowed: readonly string[]): void => {
  res.setHeader('Allow', [...withHead(allowed), 'OPTIONS'].join(', '))
  res.status(204).end()
}

/** `OPTIONS *` is about the server as a whole; load balancers send it to see whether the server answers. */
export const answerServerOptions: RequestHandler = (req, res, next) => {
  if (req.method === 'OPTIONS' && req.url === '*') sendAllow(res, SERVER_METHODS)
  else next()
}

/** The 405 of a request. RFC 9110 15.5.6 requires the Allow header. */
export const methodError = (method: string, allowed: readonly string[], code: ErrorCode): AppError => {
  const allow = withHead(allowed).join(', ')
  return new AppError(code, {
    detail: `${method} is not allowed here; allowed: ${allow}`,
    headers: { Allow: allow },
  })
}

/**
 * The last handler of a path: answers OPTIONS with 204, and refuses every other method not in `allowed` with 405.
 *
 *     router.route('/oauth/token').post(issueToken).all(methodNotAllowed(['POST'], 'oauth_method_not_allowed'))
 */
export const methodNotAllowed =
  (allowed: readonly string[], code: ErrorCode): RequestHandler =>
  (req, res) => {
    if (req.method !== 'OPTIONS') throw methodError(req.method, allowed, code)
    sendAllow(res, allowed)
  }

/** Mounts `routes` in front of authentication for OPTIONS only: which methods a path has is no secret. */
export const optionsOnly =
  (routes: RequestHandler): RequestHandler =>
  (req, res, next) => {
    if (req.method === 'OPTIONS') void routes(req, res, next)
    else next()
  }
