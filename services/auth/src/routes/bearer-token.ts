/** The token of a request's Authorization header, and the refusal of one that is none. */
import { AppError } from '@merx/errors/app-error'
import type { Request } from 'express'

/** RFC 6750 2.1. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Undefined when there is none, or it has not the form of one. */
export const bearerTokenOf = (req: Request): string | undefined =>
  BEARER.exec(req.get('authorization') ?? '')?.[1]

/** In the words of core's host. */
export const invalidToken = (req: Request): AppError =>
  new AppError('invalid_token', {
    headers: {
      // RFC 6750 3.1: no error code when the request carried no token at all.
      'WWW-Authenticate': `Bearer realm="merx"${req.get('authorization') === undefined ? '' : ', error="invalid_token"'}`,
    },
  })
