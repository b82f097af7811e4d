/** The change log of rows that were written by a statement without log: one statement for all of their versions and events. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RunStatement } from '../database/run-statement.ts'
import type { Registry } from '../registry.ts'
import { insertLog } from '../sql/log-changes.ts'
import { describeChanges } from './describe-change.ts'
import type { RowChange } from './describe-change.ts'

export interface ChangeLogContext {
  readonly run: RunStatement
  readonly registry: Registry
  readonly environmentId: number
  /** Application and owner behind the write; empty when the service itself writes. */
  readonly actor: Row
}

export const logChanges = async (
  changes: readonly RowChange[],
  { run, registry, environmentId, actor }: ChangeLogContext,
): Promise<void> => {
  const statement = insertLog(environmentId, { changes: describeChanges(changes, registry), actor })
  if (statement !== undefined) await run(statement)
}
