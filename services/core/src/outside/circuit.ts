/**
 * The circuit of a row that is called outside: failures in a row are counted in `circuit_failure_count`; from the limit of the
 * type on `circuit_state` is open, and nothing is called until `_reset_circuit`. A success sets the count to 0.
 */
import type { RunStatement } from '../engine/database/run-statement.ts'
import { identifier } from '../engine/sql/identifiers.ts'
import { createParams } from '../engine/sql/params.ts'

/** From here on somebody is warned of a webhook (commerce.md 1.1). */
export const WEBHOOK_FAILURES_WARNED = 5
/** Webhooks open at the 30th failure in a row. */
export const WEBHOOK_FAILURES_MAX = 30
/** External resources open after more than 30 (commerce.md 1.1). */
export const EXTERNAL_FAILURES_MAX = 31

export interface CircuitRow {
  /** The table of the type, which has the two columns. */
  readonly table: string
  readonly environmentId: number
  readonly id: number
  /** At how many failures in a row it opens. */
  readonly opensAt: number
}

/** The two columns of a row that has a circuit. */
export type CircuitColumns = {
  readonly circuit_state: 'closed' | 'open'
  readonly circuit_failure_count: number
}

/** What `_reset_circuit` writes, as an action of a definition. */
export const resetCircuit = (): CircuitColumns => ({ circuit_state: 'closed', circuit_failure_count: 0 })

/** A success ends the row of failures; it does not close a circuit that opened while the call was under way. */
export const recordSuccess = async (row: CircuitRow, run: RunStatement): Promise<void> => {
  const params = createParams(row.environmentId)
  await run({
    text: `UPDATE ${identifier(row.table)} SET circuit_failure_count = 0
      WHERE environment_id = $1::bigint AND id = ${params.add(row.id, 'bigint')}
        AND circuit_failure_count <> 0 AND circuit_state <> 'open'`,
    values: params.values,
  })
}

export type CountedFailures = CircuitColumns & {
  /** These failures opened it. */
  readonly hasOpened: boolean
}

/**
 * Counts failures that came after each other without a success between them, and opens the circuit at the limit.
 * @returns the state after it; undefined when the row is gone
 */
export const recordFailures = async (
  row: CircuitRow,
  failures: number,
  run: RunStatement,
): Promise<CountedFailures | undefined> => {
  const params = createParams(row.environmentId)
  const [id, more] = [params.add(row.id, 'bigint'), params.add(failures, 'bigint')]
  const [after] = await run<CountedFailures>({
    text: `UPDATE ${identifier(row.table)} AS called
      SET circuit_failure_count = coalesce(called.circuit_failure_count, 0) + ${more},
        circuit_state = CASE WHEN coalesce(called.circuit_failure_count, 0) + ${more} >= ${params.add(row.opensAt, 'bigint')}
          THEN 'open' ELSE coalesce(called.circuit_state, 'closed') END
      FROM (
        SELECT environment_id, id, circuit_state FROM ${identifier(row.table)}
        WHERE environment_id = $1::bigint AND id = ${id} FOR UPDATE
      ) AS before
      WHERE called.environment_id = before.environment_id AND called.id = before.id
      RETURNING called.circuit_state, called.circuit_failure_count,
        called.circuit_state = 'open' AND before.circuit_state IS DISTINCT FROM 'open' AS "hasOpened"`,
    values: params.values,
  })
  return after
}
