import type { AppError } from './app-error.ts'
import { headersOf, statusOf, type ErrorEncoder } from './error-encoder.ts'
import { statusName } from './status-name.ts'

/** RFC 6749 5.2: error_description is %x20-21 / %x23-5B / %x5D-7E, so no double quote, backslash or non-ASCII. */
export const toDescription = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^\x20-\x7e]/g, '?')

const toOAuthError = (error: AppError, requestId: string) => ({
  title: error.title,
  detail: error.detail ?? error.title,
  code: statusName(error.status),
  status: error.status,
  ...(error.status >= 500
    ? { meta: { ...error.meta, request_id: requestId } }
    : error.meta === undefined
      ? {}
      : { meta: error.meta }),
})

/**
 * The dialect of the authentication host: the keys of RFC 6749 5.2 and the `errors` array its JavaScript clients read
 * (auth.md 3), never stored by a cache.
 */
export const encodeOAuth: ErrorEncoder = (errors, { requestId }) => {
  const status = statusOf(errors)
  const [first] = errors
  return {
    status,
    contentType: 'application/json',
    headers: { ...headersOf(errors), 'Cache-Control': 'no-store', Pragma: 'no-cache' },
    body: {
      error: first?.title,
      error_description: toDescription(first?.detail ?? first?.title ?? ''),
      errors: errors.map((error) => toOAuthError(error, requestId)),
    },
  }
}
