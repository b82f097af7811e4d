/** An engine whose calls are spans with row counts. */
import { withSpan } from '@merx/telemetry/span'
import { SpanKind } from '@opentelemetry/api'
import type { Engine } from './engine.ts'

const CLICKHOUSE = { 'db.system.name': 'clickhouse' } as const

/** Statements name their values (`{p0:String}`), so the text holds none. */
export const withTracing = ({ insertBlocks, ...engine }: Engine): Engine => ({
  ...engine,
  run: (statement, budget, signal) =>
    withSpan(
      'SELECT clickhouse',
      { ...CLICKHOUSE, 'db.operation.name': 'SELECT', 'db.query.text': statement.text },
      async (span) => {
        const rows = await engine.run(statement, budget, signal)
        span.setAttribute('db.response.returned_rows', rows.length)
        return rows
      },
      SpanKind.CLIENT,
    ),
  insert: (table, rows) => inserting(table, rows.length, () => engine.insert(table, rows)),
  insertLines: (target, lines) =>
    inserting(target.table, lines.length, () => engine.insertLines(target, lines)),
  ...(insertBlocks === undefined
    ? {}
    : {
        insertBlocks: (target, blocks) =>
          inserting(target.table, undefined, () => insertBlocks(target, blocks)),
      }),
})

const inserting = (table: string, rows: number | undefined, insert: () => Promise<void>): Promise<void> =>
  withSpan(
    `INSERT ${table}`,
    {
      ...CLICKHOUSE,
      'db.operation.name': 'INSERT',
      'db.collection.name': table,
      ...(rows === undefined ? {} : { 'merx.rows': rows }),
    },
    insert,
    SpanKind.CLIENT,
  )
