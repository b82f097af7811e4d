/** Writes the errors of a request as the response, whatever state that response is in. */
import { AppError } from '@merx/errors/app-error'
import { toAppErrors } from '@merx/errors/to-app-errors'
import type { Logger } from '@merx/telemetry/logger'
import type { Response } from 'express'
import { requestIdOf, type Dialect } from './dialect.ts'

const UNAVAILABLE = 503
/** What was unavailable is usually back by then, and if not, one more question a second does no harm. */
const RETRY_SECONDS = '1'

/** A meta that JSON cannot hold must not turn an answer into silence. */
const encode = (errors: readonly AppError[], requestId: string, { encodeError, internalError }: Dialect) => {
  try {
    const encoded = encodeError(errors, { requestId })
    return { encoded, body: JSON.stringify(encoded.body) }
  } catch (cause) {
    const encoded = encodeError([new AppError(internalError, { cause })], { requestId })
    return { encoded, body: JSON.stringify(encoded.body), cause }
  }
}

const logErrors = (errors: readonly AppError[], log: Logger): void => {
  for (const error of errors) {
    const message = error.level === 'error' ? 'the request failed' : 'the request was refused'
    log[error.level === 'info' ? 'debug' : error.level]({ err: error, error_code: error.code }, message)
  }
}

/** Answers with `thrown` in the dialect. A response already begun is cut off, so that it cannot pass for whole. */
export const sendError = (thrown: unknown, res: Response, dialect: Dialect, log: Logger): void => {
  const errors = toAppErrors(thrown, dialect.internalError)
  logErrors(errors, log)
  const locals = res.locals as { errorCodes?: readonly string[] }
  locals.errorCodes = errors.map((error) => error.code)
  if (res.headersSent) {
    if (!res.writableEnded) res.destroy()
    return
  }
  const { encoded, body, cause } = encode(errors, requestIdOf(res), dialect)
  if (cause !== undefined) log.error({ err: cause }, 'an error could not be written as JSON')
  res.status(encoded.status)
  res.removeHeader('Content-Encoding')
  for (const [name, value] of Object.entries(encoded.headers)) res.setHeader(name, value)
  if (encoded.status === UNAVAILABLE && !res.hasHeader('Retry-After'))
    res.setHeader('Retry-After', RETRY_SECONDS)
  res.setHeader('Content-Type', encoded.contentType)
  res.setHeader('Content-Length', Buffer.byteLength(body))
  res.end(body)
}
