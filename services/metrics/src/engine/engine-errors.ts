/** Every failure of the engine → an error of the catalogue. The engine's text stays in `cause`, for the log. */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'

/** ClickHouse error codes (src/Common/ErrorCodes.cpp), as the client reports them. */
const codes: Readonly<Record<string, ErrorCode>> = {
  '159': 'metrics_query_timeout', // TIMEOUT_EXCEEDED
  '160': 'metrics_query_timeout', // TOO_SLOW
  '158': 'metrics_query_too_large', // TOO_MANY_ROWS
  '241': 'metrics_query_too_large', // MEMORY_LIMIT_EXCEEDED
  '307': 'metrics_query_too_large', // TOO_MANY_BYTES
  '396': 'metrics_query_too_large', // TOO_MANY_ROWS_OR_BYTES
  '202': 'metrics_engine_unavailable', // TOO_MANY_SIMULTANEOUS_QUERIES
  '209': 'metrics_engine_unavailable', // SOCKET_TIMEOUT
  '210': 'metrics_engine_unavailable', // NETWORK_ERROR
  '242': 'metrics_engine_unavailable', // TABLE_IS_READ_ONLY
  '279': 'metrics_engine_unavailable', // ALL_CONNECTION_TRIES_FAILED
  '516': 'metrics_engine_unavailable', // AUTHENTICATION_FAILED
}

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'])

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** A code this table does not name is a fault of ours: 500. */
export const fromEngineError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const code = codeOf(error)
  if (code !== undefined && NETWORK.has(code))
    return new AppError('metrics_engine_unavailable', { cause: error })
  const known = code === undefined ? undefined : codes[code]
  const isTimeout = error instanceof Error && /timeout error/i.test(error.message)
  return new AppError(known ?? (isTimeout ? 'metrics_query_timeout' : 'metrics_internal'), { cause: error })
}
