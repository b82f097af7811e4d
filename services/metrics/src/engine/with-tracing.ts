/** An engine whose calls are spans with row counts. */
import { withSpan } from '@merx/telemetry/span'
import type { Engine } from './engine.ts'

export const withTracing = (engine: Engine): Engine => ({
  ...engine,
  run: (statement, budget, signal) =>
    withSpan('engine.run', {}, async (span) => {
      const rows = await engine.run(statement, budget, signal)
      span.setAttribute('merx.rows', rows.length)
      return rows
    }),
  insert: (table, rows) =>
    withSpan('engine.insert', { 'merx.table': table, 'merx.rows': rows.length }, () =>
      engine.insert(table, rows),
    ),
  insertLines: (target, lines) =>
    withSpan('engine.insert', { 'merx.table': target.table, 'merx.rows': lines.length }, () =>
      engine.insertLines(target, lines),
    ),
})
