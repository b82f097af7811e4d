/** Runs statements, on the pool or in a transaction, and turns what the database cannot do into errors of ours. */
import type { Row } from '@merx/jsonapi/attributes'
import type { Pool } from 'pg'
import type { Statement } from '../sql/params.ts'
import type { Queryable } from './database.ts'
import { toStoreError } from './store-errors.ts'

export type RunStatement = (statement: Statement) => Promise<readonly Row[]>

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
