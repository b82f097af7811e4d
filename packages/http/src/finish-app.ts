import { AppError, AppErrors } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Logger } from '@merx/telemetry/logger'
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import { dialectOf, type Dialect } from './dialect.ts'
import { sendError } from './send-error.ts'

/**
 * `notFound` answers unknown paths; `malformed` (default `bad_request`) what Express itself refuses with a 400. The
 * dialect is the one given to createApp unless another is given here.
 */
export interface FinishOptions extends Partial<Dialect> {
  readonly notFound: ErrorCode
  readonly malformed?: ErrorCode
  readonly log: Logger
}

const unknownPath =
  (notFound: ErrorCode): RequestHandler =>
  () => {
    throw new AppError(notFound)
  }

/** Express and its parts mark what the caller did wrong with a 4xx `status` (http-errors); it has no body of ours. */
const isCausedByCaller = (error: unknown): error is Error => {
  if (!(error instanceof Error) || error instanceof AppError || error instanceof AppErrors) return false
  const status = 'status' in error ? error.status : undefined
  const isExposed = error instanceof URIError || ('expose' in error && error.expose === true)
  return typeof status === 'number' && status >= 400 && status < 500 && isExposed
}

/**
 * Ends an app: unknown paths and every thrown thing get an answer in the dialect, never HTML and never a stack trace.
 * Call it after the last route.
 */
export const finishApp = (app: Express, options: FinishOptions): void => {
  const { notFound, malformed = 'bad_request', log } = options
  const dialect: Dialect = { ...dialectOf(app), ...options }
  const onError: ErrorRequestHandler = (error: unknown, _req, res, _next) => {
    const thrown = isCausedByCaller(error) ? new AppError(malformed, { cause: error }) : error
    sendError(thrown, res, dialect, log)
  }
  app.use(unknownPath(notFound))
  app.use(onError)
}
