/** An engine whose calls are spans with row counts. */
import { withSpan } from '@merx/telemetry/span'
import { SpanKind } from '@opentelemetry/api'
import type { Statement } from '../sql/statement.ts'
import type { Engine } from './engine.ts'

const CLICKHOUSE = { 'db.system.name': 'clickhouse' } as const

export const withTracing = (engine: Engine): Engine => ({
  ...engine,
  run: (statement, budget, signal) =>
    selecting(
      statement,
      ({ length }) => length,
      () => engine.run(statement, budget, signal),
    ),
  runCounted: (statement, budget, signal) =>
    selecting(
      statement,
      ({ rows }) => rows.length,
      () => engine.runCounted(statement, budget, signal),
    ),
  insert: (table, rows) => inserting(table, rows.length, () => engine.insert(table, rows)),
  insertLines: (target, lines) =>
    inserting(target.table, lines.length, () => engine.insertLines(target, lines)),
})

/** Statements name their values (`{p0:String}`), so the text holds none. */
const selecting = <T>(
  { text }: Statement,
  rowsOf: (answer: T) => number,
  select: () => Promise<T>,
): Promise<T> =>
  withSpan(
    'SELECT clickhouse',
    { ...CLICKHOUSE, 'db.operation.name': 'SELECT', 'db.query.text': text },
    async (span) => {
      const answer = await select()
      span.setAttribute('db.response.returned_rows', rowsOf(answer))
      return answer
    },
    SpanKind.CLIENT,
  )

const inserting = (table: string, rows: number, insert: () => Promise<void>): Promise<void> =>
  withSpan(
    `INSERT ${table}`,
    {
      ...CLICKHOUSE,
      'db.operation.name': 'INSERT',
      'db.collection.name': table,
      'merx.rows': rows,
    },
    insert,
    SpanKind.CLIENT,
  )
