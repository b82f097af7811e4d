/** A private Redis (or Valkey) process that keeps nothing on disk. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findFreePort } from '@merx/local-postgres/free-port'

/** A private Redis process. */
export interface RedisServer {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** Ends the process at once, as a crash would. Repeating is harmless. */
  stop(): Promise<void>
}

/** Where it runs and how it is set. */
export interface RedisServerOptions {
  /** Its working folder; default the system's temporary one. */
  readonly folder?: string
  /** Default a free one. */
  readonly port?: number
  /** More of redis.conf, by name: `{ 'cluster-enabled': 'yes' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

const PROGRAMS = ['redis-server', 'valkey-server']
const READY_TIMEOUT_MS = 10_000

/** Why no Redis can be started, or undefined when one of the programs is on PATH. */
export const redisMissingReason = (): string | undefined =>
  findProgram() === undefined
    ? `no ${PROGRAMS.join(' or ')} on PATH: install one (for example "apt-get install redis-server") or set MERX_TEST_REDIS_URL`
    : undefined

const findProgram = (): string | undefined =>
  PROGRAMS.flatMap((name) =>
    (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
  ).find(isExecutable)

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // absent or not ours to run: the next folder of PATH may have it
  }
}

/**
 * Starts a server on a free port of 127.0.0.1, or on `port` (to bring a stopped one back).
 * @throws Error saying what is missing when neither program is on PATH.
 */
export const startRedisServer = async (options: RedisServerOptions = {}): Promise<RedisServer> => {
  const program = findProgram()
  if (program === undefined) throw new Error(redisMissingReason())
  const folder = options.folder ?? tmpdir()
  await mkdir(folder, { recursive: true })
  const port = options.port ?? (await findFreePort())
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    dir: folder,
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(program, flags, { stdio: ['ignore', 'pipe', 'ignore'] })
  await untilReady(child)
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { url: `redis://127.0.0.1:${port}`, port, stop }
}

const untilReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ''
    const fail = (reason: string): void => {
      child.kill('SIGKILL')
      reject(new Error(`Redis did not start: ${reason}\n${output}`))
    }
    const timer = setTimeout(() => fail(`not ready within ${READY_TIMEOUT_MS} ms`), READY_TIMEOUT_MS)
    child.once('exit', (code) => fail(`it ended with code ${code ?? 'none'}`))
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000)
      if (!output.includes('Ready to accept connections')) return
      clearTimeout(timer)
      child.removeAllListeners('exit')
      child.stdout?.removeAllListeners('data').resume()
      resolve()
    })
  })
