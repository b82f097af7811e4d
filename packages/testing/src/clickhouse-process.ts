/** The ClickHouse stand-in as a process of its own, so that a test can kill it and bring it back. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@merx/local-postgres/free-port'

const MAIN = fileURLToPath(new URL('clickhouse-over-http-main.ts', import.meta.url))
const READY_TIMEOUT_MS = 30_000
const USER = 'merx'
const DATABASE = 'merx'

export interface ClickHouseProcess {
  /** `http://user:password@127.0.0.1:port/database` */
  readonly url: string
  readonly port: number
  /** Ends the process at once, as a crash would. Repeating is harmless. */
  kill(): Promise<void>
}

/** @throws Error when it is not ready within 30 seconds. */
export const startClickHouseProcess = async (options: {
  readonly folder: string
  readonly password: string
  /** Default a free one. */
  readonly port?: number
}): Promise<ClickHouseProcess> => {
  const port = options.port ?? (await findFreePort())
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      CLICKHOUSE_FOLDER: options.folder,
      CLICKHOUSE_PORT: String(port),
      CLICKHOUSE_USER: USER,
      CLICKHOUSE_PASSWORD: options.password,
      CLICKHOUSE_DB: DATABASE,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const isReady = await Promise.race([
    once(child.stdout, 'data').then(() => true),
    once(child, 'exit').then(() => false),
    once(AbortSignal.timeout(READY_TIMEOUT_MS), 'abort').then(() => false),
  ])
  if (!isReady) {
    await kill()
    throw new Error('the ClickHouse stand-in did not become ready')
  }
  return {
    url: `http://${USER}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${DATABASE}`,
    port,
    kill,
  }
}
