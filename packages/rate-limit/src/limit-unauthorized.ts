/**
 * Error middleware that counts requests refused for their token, by address, and answers them with 429 over the budget.
 * Only refusals are counted, after the token was checked: a caller with a valid token is never refused because of others
 * behind the same address.
 */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { ErrorRequestHandler } from 'express'
import type { Limiter } from './create-limiter.ts'
import { addressOf, limitError, reportBudget } from './limit-requests.ts'

export interface LimitUnauthorizedOptions {
  readonly limiter: Limiter
  /** The 401 of this service's dialect. */
  readonly unauthorized: ErrorCode
  /** The 429 of this service's dialect. */
  readonly exceeded: ErrorCode
  /** The key of the burst window: the interface, such as `/api`. */
  readonly endpoint: string
}

/** @example api.use(authenticate({ … }), routes, limitUnauthorized({ limiter, unauthorized: 'invalid_token', … })) */
export const limitUnauthorized = (options: LimitUnauthorizedOptions): ErrorRequestHandler => {
  const { limiter, unauthorized, exceeded, endpoint } = options
  return async (error: unknown, request, response, next) => {
    if (!(error instanceof AppError) || error.code !== unauthorized) return next(error)
    const counted = { class: 'unauthorized', mode: 'live', endpoint, ip: addressOf(request) } as const
    const state = await limiter.consume(counted)
    if (state.isAllowed) return next(error)
    reportBudget(response, state)
    next(limitError(state, exceeded))
  }
}
