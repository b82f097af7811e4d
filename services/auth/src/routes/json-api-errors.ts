/** Errors in the words of core, for what answers like it: token information and provisioning. */
import { AppError } from '@merx/errors/app-error'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import { sendError } from '@merx/http/send-error'
import type { Logger } from '@merx/telemetry/logger'
import type { ErrorRequestHandler } from 'express'
import { isDatabaseUnavailable } from '../store/database-errors.ts'

const toCoreError = (error: unknown): unknown => {
  if (isDatabaseUnavailable(error)) {
    return new AppError('service_unavailable', { cause: error, headers: { 'Retry-After': '1' } })
  }
  if (!(error instanceof AppError)) return error
  const { code, detail, cause, headers, source, level } = error
  if (code === 'oauth_unavailable') {
    return new AppError('service_unavailable', {
      detail,
      cause,
      headers: headers ?? { 'Retry-After': '1' },
      level,
    })
  }
  // What the host refuses before it looks whose address it is: no proper path, no Host.
  return code === 'invalid_request' ? new AppError('bad_request', { detail, cause, headers, source }) : error
}

export const answerJsonApiErrors =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, _req, res, _next) => {
    const dialect = { encodeError: encodeJsonApi, internalError: 'internal_server_error' } as const
    sendError(toCoreError(error), res, dialect, log)
  }
