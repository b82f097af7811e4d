/** Core, its PostgreSQL, its Redis and the recorded auth, each in a process of its own; each core has a filled database. */
import { startTarget } from '@merx/load/target'
import type { Target } from '@merx/load/target'
import { createDatabaseIfMissing, withDatabase } from '@merx/postgres/create-database'
import { migrate } from '@merx/postgres/migrate'
import { createPool } from '@merx/postgres/pool'
import { silentLogger } from '@merx/testing/silent-logger'
import { startTestServers } from '@merx/testing/test-servers'
import type { Pool } from 'pg'
import { migrationsFolder } from '../src/migrate.ts'
import { fillShop, ORGANIZATION } from './fill-shop.ts'
import type { ServeCoreFacts, ServeCoreInput } from './serve-core.ts'
import type { RecordedAuthFacts, RecordedAuthInput } from './serve-recorded-auth.ts'

/** A core that serves a shop of some size. */
export interface LoadedCore {
  readonly skus: number
  readonly target: Target<ServeCoreFacts>
  readonly databaseUrl: string
  /** For changes while requests run. */
  readonly pool: Pool
}

export interface CoreSurroundings {
  /** Fills a database and starts core on it; `name` distinguishes its database. */
  readonly start: (name: string, skus: number) => Promise<LoadedCore>
  readonly close: () => Promise<void>
}

const STATEMENT_TIMEOUT_MS = 600_000

const requireUrl = (url: string | undefined): string => {
  if (url === undefined) throw new Error('PostgreSQL and Redis were started without telling where')
  return url
}

/** @throws Error saying which server could not be started. */
export const openCoreSurroundings = async (say: (message: string) => void): Promise<CoreSurroundings> => {
  const servers = await startTestServers(['postgres', 'redis'])
  const auth = await startTarget<RecordedAuthFacts>({
    name: 'recorded auth',
    program: new URL('./serve-recorded-auth.ts', import.meta.url),
    input: { organization: ORGANIZATION } satisfies RecordedAuthInput,
  })
  const opened: LoadedCore[] = []
  return {
    start: async (name, skus) => {
      const databaseUrl = withDatabase(requireUrl(servers.postgresUrl), `core_load_${name}`)
      await createDatabaseIfMissing(databaseUrl)
      await migrate({ url: databaseUrl, folder: migrationsFolder, log: silentLogger })
      say(`filling a shop of ${skus} SKUs`)
      await fillShop(databaseUrl, skus, say)
      const input: ServeCoreInput = {
        databaseUrl,
        redisUrl: `${requireUrl(servers.redisUrl)}/${opened.length}`,
        authUrl: auth.url,
        tokens: auth.facts,
      }
      const program = new URL('./serve-core.ts', import.meta.url)
      const target = await startTarget<ServeCoreFacts>({ name: `merx ${name}`, program, input })
      const pool = createPool({
        url: databaseUrl,
        maxConnections: 6,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        applicationName: 'load',
      })
      const loaded = { skus, target, databaseUrl, pool }
      opened.push(loaded)
      return loaded
    },
    close: async () => {
      for (const { target, pool } of opened.reverse()) {
        await target.stop()
        await pool.end()
      }
      await auth.stop()
      await servers.stop()
    },
  }
}
