/** The lines of an order as they are stored and as they will be, and the writes that bring one to the other. */
import { isDeepStrictEqual } from 'node:util'
import type { Row } from '@merx/jsonapi/attributes'
import type { Registry } from '../engine/registry.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export interface OrderLine {
  /** Undefined when the line is new. */
  readonly before: Row | undefined
  /** Undefined when the line goes. */
  readonly after: Row | undefined
}

/** What the database fills in where amounts depend on it. */
export const NEW_LINE: Row = { item_type: null, options_amount_cents: 0, tax_rate: '0' }

/** In the order in which they were added. */
export const readLines = async (
  orderNumber: number,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<readonly OrderLine[]> => {
  const text = 'SELECT * FROM line_items WHERE environment_id = $1 AND order_id = $2 ORDER BY id'
  const rows = await run({ text, values: [scope.environmentId, orderNumber] })
  return rows.map((row) => ({ before: row, after: row }))
}

/** The lines that stay, as they will be. */
export const linesAfter = (lines: readonly OrderLine[]): readonly Row[] =>
  lines.flatMap(({ after }) => (after === undefined ? [] : [after]))

/** Most values are the very same; comparing what is in them takes many times as long. */
const isSame = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) || isDeepStrictEqual(one, other)

/** The columns that differ, with their new values. */
export const changedColumns = (before: Row | undefined, after: Row): Row =>
  Object.fromEntries(
    Object.entries(after).filter(([column, value]) => !isSame(before?.[column] ?? null, value ?? null)),
  )

/** Lines that go, come, and change. Those that change are written with the same columns, so that one statement does. */
export const lineWrites = (lines: readonly OrderLine[], registry: Registry): readonly RowWrite[] => {
  const definition = registry.require('line_items')
  const gone = lines.filter(({ after }) => after === undefined)
  const changes = lines.flatMap(({ before, after }) =>
    before === undefined || after === undefined
      ? []
      : [{ before, after, changed: changedColumns(before, after) }],
  )
  const columns = [...new Set(changes.flatMap(({ changed }) => Object.keys(changed)))]
  return [
    ...gone.map(({ before }) => ({ definition, before, columns: undefined })),
    ...lines.flatMap(({ before, after }) =>
      before === undefined && after !== undefined ? [{ definition, before, columns: after }] : [],
    ),
    ...changes
      .filter(({ changed }) => Object.keys(changed).length > 0)
      .map(({ before, after }) => ({
        definition,
        number: numberOf(before),
        before,
        columns: Object.fromEntries(columns.map((column) => [column, after[column]])),
      })),
  ]
}
