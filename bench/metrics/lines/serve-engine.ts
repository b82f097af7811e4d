/** The program under measurement: one engine, and a listener that loads its table and runs SQL, and tells how long that took. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { runAsTarget } from '@merx/load/run-as-target'
import { findFreePort } from '@merx/local-postgres/free-port'
import { openChdb } from './in-chdb.ts'
import { openDuckDb } from './in-duckdb.ts'
import { openPostgres } from './in-postgres.ts'
import type { LineEngine, OpenLineEngine, Values } from './line-engine.ts'
import type { LineFiles } from './line-rows.ts'
import type { EngineName } from './questions.ts'

export interface ServeEngineInput {
  readonly engine: EngineName
  readonly folder: string
}

export interface ServeEngineFacts {
  readonly version: string
}

/** Of `POST /load` with files as JSON. */
export interface Loaded {
  readonly ms: number
  readonly sizeBytes: number
}

/** Of `POST /ask` with SQL. */
export interface Asked {
  readonly ms: number
  readonly rows: readonly Values[]
}

const OPEN: Readonly<Record<EngineName, OpenLineEngine>> = {
  chdb: openChdb,
  duckdb: openDuckDb,
  postgres: openPostgres,
}
const HOST = '127.0.0.1'

const load = async (engine: LineEngine, files: LineFiles): Promise<Loaded> => {
  const startedAt = performance.now()
  await engine.load(files)
  return { ms: performance.now() - startedAt, sizeBytes: await engine.sizeBytes() }
}

const ask = async (engine: LineEngine, sql: string): Promise<Asked> => {
  const startedAt = performance.now()
  const rows = await engine.ask(sql)
  return { ms: performance.now() - startedAt, rows }
}

const serve = (engine: LineEngine) =>
  createServer((req, res) => {
    const work = async (): Promise<Loaded | Asked> => {
      const body = await text(req)
      return req.url === '/load' ? load(engine, JSON.parse(body) as LineFiles) : ask(engine, body)
    }
    work().then(
      (found) =>
        res.end(
          JSON.stringify(found, (_key, value: unknown) =>
            typeof value === 'bigint' ? String(value) : value,
          ),
        ),
      (error: unknown) => res.writeHead(500).end(String((error as Error).cause ?? error)),
    )
  })

runAsTarget<ServeEngineInput, ServeEngineFacts>(async ({ engine: name, folder }) => {
  const engine = await OPEN[name](folder)
  const server = serve(engine)
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve))
  return {
    url: `http://${HOST}:${port}`,
    facts: { version: engine.version },
    close: async () => {
      server.close()
      await engine.close()
    },
  }
})
