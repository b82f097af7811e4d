/** Starts the real nginx gateway, infra/gateway/start.sh, as a process of this machine in front of given services. */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { requireNginx } from '@merx/embedded/src/install-nginx.ts'
import { findFreePort } from '@merx/local-postgres/free-port'
import { send } from './send.ts'

const START = resolve(import.meta.dirname, '../../infra/gateway/start.sh')
const READY_TIMEOUT_MS = 10_000
const RELOAD_TIMEOUT_MS = 60_000

export interface GatewayOptions {
  /** Public listeners as `host:port`; core and metrics may be the same place. */
  readonly auth: string
  readonly core: string
  readonly metrics: string
  readonly console?: string
  /** More settings, as start.sh reads them. */
  readonly env?: Readonly<Record<string, string>>
}

export interface RunningGateway {
  readonly pid: number
  /** Writable, holds nginx.conf, `maintenance/`, access.log and error.log; gone after stop. */
  readonly folder: string
  readonly baseUrl: string
  readonly authUrl: string
  /** Host and port that speak TLS, when a certificate was given. */
  readonly tlsPort: number
  readonly adminUrl: string
  /** Each line of the access log, parsed. */
  accessLog(): readonly Record<string, unknown>[]
  errorLog(): string
  /**
   * Resolves when only workers with the new configuration accept requests; rejects with nginx's words when it is refused.
   * `nginx -s reload` itself returns as soon as the signal is sent.
   */
  reload(env?: Readonly<Record<string, string>>): Promise<void>
  stop(): Promise<void>
}

const readLines = (file: string): readonly Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const workersOf = (master: number): readonly number[] =>
  readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' ').map(Number)

/** A worker of nginx that is to end says so in its title; it only finishes what it has. */
const isAccepting = (worker: number): boolean => {
  try {
    const title = readFileSync(`/proc/${worker}/cmdline`, 'utf8')
    return title !== '' && !title.includes('shutting down')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false // it has ended
    throw error
  }
}

/** @throws Error when there is no nginx and none can be installed, or with its words when it does not start. */
export const launchGateway = async (options: GatewayOptions): Promise<RunningGateway> => {
  const nginx = requireNginx(() => undefined)
  if ('missing' in nginx) throw new Error(`the gateway needs nginx: ${nginx.missing}`)
  const folder = await mkdtemp(join(tmpdir(), 'merx-gateway-'))
  const ports = [await findFreePort(), await findFreePort(), await findFreePort(), await findFreePort()]
  const [basePort = 0, authPort = 0, tlsPort = 0, adminPort = 0] = ports
  const files = { access: join(folder, 'access.log'), error: join(folder, 'error.log') }
  const environment = {
    ...process.env,
    GATEWAY_HOST: '127.0.0.1',
    GATEWAY_DIR: folder,
    GATEWAY_AUTH: options.auth,
    GATEWAY_CORE: options.core,
    GATEWAY_METRICS: options.metrics,
    // Where nothing of the console is tested, nobody answers for it.
    GATEWAY_CONSOLE: options.console ?? '127.0.0.1:9',
    GATEWAY_BASE_PORT: String(basePort),
    GATEWAY_AUTH_PORT: String(authPort),
    GATEWAY_TLS_PORT: String(tlsPort),
    GATEWAY_ADMIN_PORT: String(adminPort),
    GATEWAY_ACCESS_LOG: files.access,
    GATEWAY_WORKERS: '2',
    GATEWAY_CONNECTIONS: '1024',
    ...options.env,
  }
  const log = openSync(files.error, 'a')
  const child = spawn(START, [], { stdio: ['ignore', log, log], env: environment })
  closeSync(log)
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  const errorLog = (): string => readFileSync(files.error, 'utf8')
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  const adminUrl = `http://127.0.0.1:${adminPort}`
  const startedAt = performance.now()
  const isReady = () =>
    send({ url: `${adminUrl}/health/ready`, from: '127.0.0.1', timeoutMs: 1_000 }).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - startedAt > READY_TIMEOUT_MS) {
      const words = errorLog()
      await stop()
      throw new Error(`nginx did not start: ${words}`)
    }
    await wait(20)
  }
  return {
    pid: child.pid ?? 0,
    folder,
    baseUrl: `http://127.0.0.1:${basePort}`,
    authUrl: `http://127.0.0.1:${authPort}`,
    tlsPort,
    adminUrl,
    accessLog: () => readLines(files.access),
    errorLog,
    reload: async (env = {}) => {
      const before = workersOf(child.pid ?? 0)
      const result = spawnSync(START, ['reload'], { encoding: 'utf8', env: { ...environment, ...env } })
      if (result.status !== 0) throw new Error(result.stderr)
      const deadline = performance.now() + RELOAD_TIMEOUT_MS
      while (before.some(isAccepting)) {
        if (performance.now() > deadline) throw new Error(`nginx did not reload: ${errorLog()}`)
        await wait(20)
      }
    },
    stop,
  }
}
