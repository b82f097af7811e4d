/** A throw-away PostgreSQL cluster: quick to start, safe to lose. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startLocalPostgres } from '@merx/local-postgres/local-postgres'

/** The PostgreSQL of a test run. */
export interface PostgresServer {
  /** Of the maintenance database: `postgresql://…@127.0.0.1:<port>/postgres`. */
  readonly url: string
  stop(): Promise<void>
}

/** Nothing in a test cluster must survive a power cut, so nothing waits for the disk. */
const SETTINGS = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  shared_buffers: '64MB',
  autovacuum_naptime: '5min',
}

/**
 * Initialises and starts a cluster inside `folder`, about two seconds.
 * @throws Error with the last lines PostgreSQL wrote.
 */
export const startPostgresServer = async (folder: string): Promise<PostgresServer> => {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755) // so that PostgreSQL, which does not run as root, can reach its data folder below
  try {
    const server = await startLocalPostgres({
      dataFolder: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      password: randomBytes(16).toString('base64url'),
      isDurable: false,
      settings: SETTINGS,
    })
    return { url: server.url('postgres'), stop: () => server.stop() }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`PostgreSQL did not start (MERX_TEST_POSTGRES_URL names another one to use): ${reason}`, {
      cause,
    })
  }
}
