import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { RequestHandler } from 'express'

/**
 * The last handler of a path: refuses every method not in `allowed` with 405 and the Allow header RFC 9110 15.5.6
 * requires. HEAD is allowed wherever GET is.
 *
 *     router.route('/oauth/token').post(issueToken).all(methodNotAllowed(['POST'], 'oauth_method_not_allowed'))
 */
export const methodNotAllowed = (allowed: readonly string[], code: ErrorCode): RequestHandler => {
  const methods = allowed.includes('GET') && !allowed.includes('HEAD') ? [...allowed, 'HEAD'] : allowed
  const allow = methods.join(', ')
  return (req) => {
    throw new AppError(code, {
      detail: `${req.method} is not allowed here; allowed: ${allow}`,
      headers: { Allow: allow },
    })
  }
}
