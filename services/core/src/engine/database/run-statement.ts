/** Runs statements, on the pool or in a transaction, and turns what the database cannot do into errors of ours. */
import type { Row } from '@merx/jsonapi/attributes'
import type { Pool } from 'pg'
import type { Statement } from '../sql/params.ts'
import { preparedAs } from '../sql/statement-names.ts'
import type { Queryable } from './database.ts'
import { toStoreError } from './store-errors.ts'

/** `R` is what the statement returns; nobody checks it. Columns of a table come from `RowOf`. */
export type RunStatement = <R extends Row = Row>(statement: Statement) => Promise<readonly R[]>

/** Outside a transaction; frequent statements are prepared once per connection. */
export const runOn =
  (pool: Pool): RunStatement =>
  async <R extends Row>({ text, values, name }: Statement) => {
    try {
      const query = { text, values: [...values], ...(name === undefined ? {} : { name }) }
      return (await pool.query<R>(query)).rows
    } catch (error) {
      throw toStoreError(error)
    }
  }

/** Inside a transaction; there a failure also ends the transaction. */
export const runIn =
  (transaction: Queryable): RunStatement =>
  async <R extends Row>({ text, values, name }: Statement) => {
    try {
      return await transaction.query<R>(text, values, name)
    } catch (error) {
      throw toStoreError(error)
    }
  }

/**
 * Inside the transaction of one write: every statement is prepared, since the next write of the type sends the same ones. A
 * migration of the next release may outdate a plan; then Database.transaction begins again on another connection.
 */
export const runPrepared = (transaction: Queryable): RunStatement => {
  const run = runIn(transaction)
  return (statement) => run({ ...preparedAs(statement.text), ...statement })
}
