/** Express middleware: counts every request that reaches it, tells the caller the state, refuses what is too much. */
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
  const answer = (state: LimitState, response: Response): void => {
    response.setHeader('X-Ratelimit-Limit', state.limit)
    response.setHeader('X-Ratelimit-Interval', state.intervalSeconds)
    response.setHeader('X-Ratelimit-Remaining', state.remaining)
    if (state.isAllowed) return
    throw new AppError(exceeded, {
      detail: explain(state),
      headers: { 'Retry-After': String(state.retryAfterSeconds) },
    })
  }
  return (request, response, next) => {
    const drawn = budget(request, response)
    if (drawn === undefined) return next()
    const state = limiter.consume({ ...drawn, ip: clientIp(request) })
    if (!(state instanceof Promise)) {
      answer(state, response)
      return next()
    }
    return state.then((counted) => {
      answer(counted, response)
      next()
    })
  }
}

/** As createApp found it, else as Express does. */
const addressOf = (request: Request): string | undefined => currentContext()?.clientAddress ?? request.ip

const explain = ({ exceeded, retryAfterSeconds }: LimitState): string => {
  const allowed = exceeded && `${exceeded.points} requests in ${exceeded.seconds} seconds`
  const where = exceeded?.per === 'endpoint' ? 'to one endpoint' : 'to all endpoints together'
  return `at most ${allowed ?? 'a limited number of requests'} ${where}; try again in ${retryAfterSeconds} seconds`
}
