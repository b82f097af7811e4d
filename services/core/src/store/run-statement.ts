/** Runs statements, on the pool or in a transaction, and turns what the database cannot do into errors of ours. */
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { Pool } from 'pg'
import type { Queryable } from './database.ts'
import type { Statement } from './sql/params.ts'

export type RunStatement = (statement: Statement) => Promise<readonly Row[]>

/** SQLSTATE of statements that were cancelled or could not start, not of faults in them. */
const UNAVAILABLE = /^(57014|57P0[1-3]|53[0-9A-Z]{3}|08[0-9A-Z]{3})$/

/** Of pg and Node: no connection at all. */
const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE']

/** Outside a transaction; frequent statements are prepared once per connection. */
export const runOn =
  (pool: Pool): RunStatement =>
  async ({ text, values, name }) => {
    try {
      const query = { text, values: [...values], ...(name === undefined ? {} : { name }) }
      return (await pool.query<Record<string, unknown>>(query)).rows
    } catch (error) {
      throw toStoreError(error)
    }
  }

/** Inside a transaction; there a failure also ends the transaction. */
export const runIn =
  (transaction: Queryable): RunStatement =>
  async ({ text, values, name }) => {
    try {
      return await transaction.query<Record<string, unknown>>(text, values, name)
    } catch (error) {
      throw toStoreError(error)
    }
  }

/** `service_unavailable` when the database is away or too slow; anything else as it is. */
export const toStoreError = (error: unknown): unknown => {
  const code = codeOf(error)
  const isConnectionTimeout =
    error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')
  const isAway = code !== undefined && (UNAVAILABLE.test(code) || UNREACHABLE.includes(code))
  return isAway || isConnectionTimeout ? new AppError('service_unavailable', { cause: error }) : error
}

/** The SQLSTATE or system code of an error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
