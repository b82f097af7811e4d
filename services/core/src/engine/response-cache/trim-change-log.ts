/** Deletes what the log of changes no longer needs: transactions that ended before the call before this one. */
import type { Queryable } from '../database/database.ts'

export const trimChangeLog = async (database: Queryable): Promise<void> => {
  await database.query('SELECT kept.forget_catalogue_changes()')
}
