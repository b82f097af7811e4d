/** A span for each query of a pool. Only while traces are on; a pool opened before or without them is left as it is. */
import { AsyncResource } from 'node:async_hooks'
import { failSpan, startClientSpan } from '@merx/telemetry/span'
import { isTracing } from '@merx/telemetry/tracing'
import type { Span } from '@opentelemetry/api'
import type { Pool, PoolClient } from 'pg'

type Query = (...args: unknown[]) => unknown
type Callback = (error: unknown, ...rest: unknown[]) => unknown

interface Statement {
  readonly text: string
  readonly name: string | undefined
}

/** Undefined for what is not a plain statement, such as a COPY stream, whose end is seen elsewhere. */
const statementOf = (first: unknown): Statement | undefined => {
  if (typeof first === 'string') return { text: first, name: undefined }
  if (typeof first !== 'object' || first === null || 'submit' in first) return undefined
  const { text, name } = first as { text?: unknown; name?: unknown }
  return typeof text === 'string' ? { text, name: typeof name === 'string' ? name : undefined } : undefined
}

/** Statements carry their values as parameters, so the text holds none. */
const startQuerySpan = (first: unknown, database: string | undefined): Span | undefined => {
  const statement = statementOf(first)
  if (statement === undefined) return undefined
  const operation = /^[\s(]*([a-z]+)/i.exec(statement.text)?.[1]?.toUpperCase() ?? 'QUERY'
  return startClientSpan(`${operation} ${database ?? 'postgresql'}`, {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': statement.text,
    ...(database === undefined ? {} : { 'db.namespace': database }),
    ...(statement.name === undefined ? {} : { 'merx.statement': statement.name }),
  })
}

const endWith = (span: Span, error?: unknown): void => {
  if (error !== undefined && error !== null) failSpan(span, error)
  span.end()
}

const traceClient = (client: PoolClient, database: string | undefined): void => {
  const query = client.query.bind(client) as Query
  const traced: Query = (...args) => {
    const span = startQuerySpan(args[0], database)
    if (span === undefined) return query(...args)
    const last = args.at(-1)
    if (typeof last === 'function') {
      const callback = last as Callback
      const finish: Callback = (error, ...rest) => {
        endWith(span, error)
        return callback(error, ...rest)
      }
      return query(...args.slice(0, -1), finish)
    }
    const answer = query(...args) as Promise<unknown>
    void answer.then(
      () => endWith(span),
      (error: unknown) => endWith(span, error),
    )
    return answer
  }
  Object.assign(client, { query: traced })
}

/** A caller that waited for a connection goes on in its own request, not in that of whoever gave the connection back. */
const keepContext = (pool: Pool): void => {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown
  const bound = (callback?: Callback): unknown =>
    callback === undefined ? connect() : connect(AsyncResource.bind(callback))
  Object.assign(pool, { connect: bound })
}

/** `database` is what spans call it. */
export const tracePool = (pool: Pool, database: string | undefined): void => {
  if (!isTracing()) return
  keepContext(pool)
  pool.on('connect', (client) => traceClient(client, database))
}
