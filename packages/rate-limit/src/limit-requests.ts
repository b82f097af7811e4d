/** Express middleware that counts every request, reports the budget in headers, and refuses requests over it with 429. */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import { currentContext } from '@merx/telemetry/request-context'
import type { Request, RequestHandler, Response } from 'express'
import type { LimitedRequest, Limiter, LimitState } from './create-limiter.ts'

/** How a service maps its requests to budgets, and the error it answers with. */
export interface LimitRequestsOptions {
  readonly limiter: Limiter
  /** Which budget a request draws on; `undefined` leaves it unlimited (health checks). */
  readonly budget: (request: Request, response: Response) => Omit<LimitedRequest, 'ip'> | undefined
  /** The 429 of this service's dialect. */
  readonly exceeded: ErrorCode
  /** Default Express's `request.ip`, which respects `trust proxy`. */
  readonly clientIp?: (request: Request) => string | undefined
}

/**
 * Sets X-Ratelimit-Limit, -Interval (seconds) and -Remaining, all whole numbers, of the average window
 * (core-conventions.md section 10). Over budget, it passes on `exceeded` with Retry-After (RFC 9110, 10.2.3).
 *
 * @example app.use('/api', limitRequests({ limiter, budget: budgetOf, exceeded: 'too_many_requests' }))
 */
export const limitRequests = (options: LimitRequestsOptions): RequestHandler => {
  const { limiter, budget, exceeded, clientIp = addressOf } = options
  return async (request, response, next) => {
    const drawn = budget(request, response)
    if (drawn !== undefined) {
      const state = await limiter.consume({ ...drawn, ip: clientIp(request) })
      reportBudget(response, state)
      if (!state.isAllowed) throw limitError(state, exceeded)
    }
    next()
  }
}

/** As createApp found it, else as Express does. */
export const addressOf = (request: Request): string | undefined =>
  currentContext()?.clientAddress ?? request.ip

/** X-Ratelimit-Limit, -Interval (seconds) and -Remaining of the average window. */
export const reportBudget = (response: Response, state: LimitState): void => {
  response.setHeader('X-Ratelimit-Limit', state.limit)
  response.setHeader('X-Ratelimit-Interval', state.intervalSeconds)
  response.setHeader('X-Ratelimit-Remaining', state.remaining)
}

export const limitError = (state: LimitState, code: ErrorCode): AppError =>
  new AppError(code, {
    detail: explain(state),
    headers: { 'Retry-After': String(state.retryAfterSeconds) },
  })

const explain = ({ exceeded, retryAfterSeconds }: LimitState): string => {
  const allowed = exceeded && `${exceeded.points} requests in ${exceeded.seconds} seconds`
  const where = exceeded?.per === 'endpoint' ? 'to one endpoint' : 'to all endpoints together'
  return `at most ${allowed ?? 'a limited number of requests'} ${where}; try again in ${retryAfterSeconds} seconds`
}
