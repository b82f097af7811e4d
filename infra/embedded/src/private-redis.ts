/** A Redis (or Valkey) server that belongs to this process and stores nothing on disk. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { findFreePort } from '@merx/local-postgres/free-port'
import { spawnWatchdog } from '@merx/local-postgres/watchdog'

export interface PrivateRedis {
  /** With its password: `redis://:…@127.0.0.1:<port>`. */
  readonly url: string
  readonly program: string
  /** Settles when the server ends without having been asked to. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

const PROGRAMS = ['redis-server', 'valkey-server']
const READY_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 3_000
const PASSWORD_BYTES = 24
const OUTPUT_TAIL_CHARS = 2_000
const MEMORY_MAX = '256mb'

/** The first Redis or Valkey server on PATH. */
export const findRedisProgram = (searchPath: string = process.env['PATH'] ?? ''): string | undefined =>
  PROGRAMS.flatMap((name) => searchPath.split(path.delimiter).map((folder) => path.join(folder, name))).find(
    isExecutable,
  )

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return path.isAbsolute(file)
  } catch {
    return false // absent or not ours to run: the next folder may have it
  }
}

/** @throws Error with the server's own words when it does not start. */
export const startPrivateRedis = async (
  program: string,
  dataFolder: string,
  avoidPorts?: ReadonlySet<number>,
): Promise<PrivateRedis> => {
  const port = await findFreePort(avoidPorts)
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const pidFile = path.join(dataFolder, 'redis.pid')
  // Read from standard input: the arguments of a process are visible to everybody on the machine.
  const child = spawn(program, ['-'], { stdio: ['pipe', 'pipe', 'pipe'], detached: true, cwd: dataFolder })
  child.stdin.on('error', () => undefined) // a program that ends at once; untilReady says why
  child.stdin.end(renderSettings({ port: String(port), requirepass: password, pidfile: `"${pidFile}"` }))
  await untilReady(child)
  const watchdog = spawnWatchdog({ pid: child.pid ?? 0, pidFile })
  let isStopping = false
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ended = new Promise<void>((resolve) => {
    void exited.then(() => {
      watchdog.dismiss()
      if (!isStopping) resolve()
    })
  })
  const stop = async (): Promise<void> => {
    isStopping = true
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(timer)
  }
  return { url: `redis://:${password}@127.0.0.1:${port}`, program, ended, stop }
}

const renderSettings = (own: Record<string, string>): string => {
  const settings = {
    bind: '127.0.0.1',
    save: '""',
    appendonly: 'no',
    daemonize: 'no',
    maxmemory: MEMORY_MAX,
    'maxmemory-policy': 'volatile-ttl',
    ...own,
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('')
}

const untilReady = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ''
    const fail = (reason: string): void => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`Redis did not start: ${reason}\n${output.slice(-OUTPUT_TAIL_CHARS).trim()}`))
    }
    const timer = setTimeout(() => fail(`not ready within ${READY_TIMEOUT_MS} ms`), READY_TIMEOUT_MS)
    const onExit = (code: number | null): void => fail(`it ended with code ${code ?? 'none'}`)
    child.once('error', (error) => fail(error.message))
    child.once('exit', onExit)
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const onOutput = (chunk: Buffer): void => {
      output += chunk.toString()
      if (!output.includes('Ready to accept connections')) return
      clearTimeout(timer)
      child.off('exit', onExit)
      child.stdout?.off('data', onOutput).resume()
      resolve()
    }
    child.stdout?.on('data', onOutput)
  })
