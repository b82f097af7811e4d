import type { AppError } from './app-error.ts'
import { headersOf, statusOf, type ErrorEncoder } from './error-encoder.ts'

const toApiError = (error: AppError, requestId: string) => ({
  title: error.title,
  detail: error.detail ?? error.title,
  code: error.code.toUpperCase(),
  ...(error.source === undefined ? {} : { source: error.source }),
  status: String(error.status),
  ...(error.status >= 500
    ? { meta: { ...error.meta, request_id: requestId } }
    : error.meta === undefined
      ? {}
      : { meta: error.meta }),
})

/**
 * The dialect of core (core-conventions.md 9.1): `{"errors":[{title, detail, code, source?, status: "422", meta?}]}`.
 * Internal errors (5xx) carry `meta.request_id`, so that whoever reports one can name it.
 */
export const encodeJsonApi: ErrorEncoder = (errors, { requestId }) => ({
  status: statusOf(errors),
  contentType: 'application/vnd.api+json',
  headers: headersOf(errors),
  body: { errors: errors.map((error) => toApiError(error, requestId)) },
})
