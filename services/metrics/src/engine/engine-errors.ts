/** Maps every failure of the engine to an error of the catalogue. The engine's text stays in `cause`, for the log. */
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
  '47': 'metrics_engine_unavailable', // UNKNOWN_IDENTIFIER: tables of the shape before, until the new ones are built
  '60': 'metrics_engine_unavailable', // UNKNOWN_TABLE: an empty store, until its tables hold everything
  '81': 'metrics_engine_unavailable', // UNKNOWN_DATABASE
  '202': 'metrics_engine_unavailable', // TOO_MANY_SIMULTANEOUS_QUERIES
  '209': 'metrics_engine_unavailable', // SOCKET_TIMEOUT
  '210': 'metrics_engine_unavailable', // NETWORK_ERROR
  '242': 'metrics_engine_unavailable', // TABLE_IS_READ_ONLY
  '279': 'metrics_engine_unavailable', // ALL_CONNECTION_TRIES_FAILED
  '516': 'metrics_engine_unavailable', // AUTHENTICATION_FAILED
}

/** Data on disk that the engine cannot read. */
const DAMAGE: ReadonlySet<string> = new Set([
  '32', // ATTEMPT_TO_READ_AFTER_EOF
  '33', // CANNOT_READ_ALL_DATA
  '39', // TOO_LARGE_SIZE_COMPRESSED
  '40', // CHECKSUM_DOESNT_MATCH
  '89', // UNKNOWN_COMPRESSION_METHOD
  '107', // FILE_DOESNT_EXIST
  '226', // NO_FILE_IN_DATA_PART
  '228', // BAD_SIZE_OF_FILE_IN_DATA_PART
  '232', // NO_SUCH_DATA_PART
  '246', // CORRUPTED_DATA
  '271', // CANNOT_DECOMPRESS
  '432', // UNKNOWN_CODEC
  '740', // POTENTIALLY_BROKEN_DATA_PART
])

/** A row that the table cannot take, as opposed to an engine that cannot write. */
export class RowsRefused extends Error {
  override readonly name = 'RowsRefused'
}

const REFUSALS = new Set([
  '6', // CANNOT_PARSE_TEXT
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '69', // ARGUMENT_OUT_OF_BOUND
  '70', // CANNOT_CONVERT_TYPE
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '130', // CANNOT_READ_ARRAY_FROM_TEXT
  '131', // TOO_LARGE_STRING_SIZE
  '190', // SIZES_OF_ARRAYS_DONT_MATCH
  '321', // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  '349', // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  '407', // DECIMAL_OVERFLOW
  '467', // CANNOT_PARSE_BOOL
])

/** NOT_ENOUGH_SPACE, CANNOT_WRITE_TO_FILE_DESCRIPTOR and the like name what is missing in their text. */
const NO_SPACE = /NOT_ENOUGH_SPACE|No space left on device|ENOSPC/i

/** Whether the disk of the engine is full. */
export const isOutOfSpace = (error: unknown): boolean => {
  for (let one = error; one instanceof Error; one = one.cause) if (NO_SPACE.test(one.message)) return true
  return false
}

/** Whether the store is damaged, so that only building it again helps. */
export const isStoreDamaged = (error: unknown): boolean => {
  for (let one = error; one instanceof Error; one = one.cause) if (DAMAGE.has(codeOf(one) ?? '')) return true
  return false
}

const UNKNOWN_TABLE = '60'

/** Whether the store has lost its tables, or never had any. */
export const isTableMissing = (error: unknown): boolean => {
  for (let one = error; one instanceof Error; one = one.cause) if (codeOf(one) === UNKNOWN_TABLE) return true
  return false
}

const VIOLATED_CONSTRAINT = '469'

/** Whether a table is of another generation than the rows: it was swapped meanwhile. */
export const isTableSwapped = (error: unknown): boolean => {
  for (let one = error; one instanceof Error; one = one.cause)
    if (codeOf(one) === VIOLATED_CONSTRAINT) return true
  return false
}

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'])

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Whether sending it again may work. */
export const isNetworkFailure = (error: unknown): boolean => {
  const code = codeOf(error)
  return (
    (code !== undefined && NETWORK.has(code)) ||
    (error instanceof Error && /socket hang up/i.test(error.message))
  )
}

/** What went wrong with rows that were to be written. */
export const fromInsertError = (error: unknown): Error => {
  const code = codeOf(error)
  if (code === undefined || !REFUSALS.has(code)) return fromEngineError(error)
  return new RowsRefused(error instanceof Error ? error.message : String(error), { cause: error })
}

/** A code that this file does not name is an error of ours: 500. */
export const fromEngineError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const code = codeOf(error)
  if (isNetworkFailure(error)) return new AppError('metrics_engine_unavailable', { cause: error })
  const known = code !== undefined && DAMAGE.has(code) ? 'metrics_engine_unavailable' : codes[code ?? '']
  const isTimeout = error instanceof Error && /timeout error/i.test(error.message)
  return new AppError(known ?? (isTimeout ? 'metrics_query_timeout' : 'metrics_internal'), { cause: error })
}

/** Whether the engine may work later. */
export const isEngineUnavailable = (error: unknown): boolean =>
  fromEngineError(error).code === 'metrics_engine_unavailable'
