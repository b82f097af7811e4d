/** One service as its container runs it: `main.ts` in a process of its own, which a test may kill and start again. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { tailOf } from '../../support/launch-system.ts'
import { send } from '../../support/send.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const READY_TIMEOUT_MS = 60_000
const POLL_MS = 25

export const SERVICES = ['auth', 'core', 'metrics'] as const
export type ServiceName = (typeof SERVICES)[number]

/** What can be ended as a crash ends it, and brought back. */
export interface Restartable {
  /** kill -9. Repeating is harmless. */
  kill(): Promise<void>
  /** Resolves when it answers; nothing happens when it runs. */
  start(): Promise<void>
}

export interface ServiceProcess extends Restartable {
  /** Of its public listener. */
  readonly url: string
  readonly logFile: string
  /** Waits for requests under way, as a rollout does. */
  stop(): Promise<void>
  /** True when it ended without having been asked to, since its last start. */
  hasEnded(): boolean
  /** Undefined while it does not run. */
  pid(): number | undefined
  /** SIGSTOP and SIGCONT: a process that hangs without ending. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** More environment from the next start on. */
  setEnvironment(env: Readonly<Record<string, string>>): void
  /** Another file for its log from the next start on; its own when undefined. */
  setOutput(file: string | undefined): void
}

export interface ServiceOptions {
  readonly name: ServiceName
  readonly port: number
  readonly internalPort: number
  readonly env: Readonly<Record<string, string>>
  /** Its log is `<name>.log` in it. */
  readonly folder: string
  /** Root of the sources; default this checkout. */
  readonly root?: string
}

const isAlive = (child: ChildProcess | undefined): child is ChildProcess =>
  child !== undefined && child.exitCode === null && child.signalCode === null

const isAnswering = async (url: string): Promise<boolean> => {
  const reply = await send({ url, from: '127.0.0.1', timeoutMs: 1_000 }).catch(() => undefined)
  return reply !== undefined
}

/** Nothing is started yet. */
export const createServiceProcess = (options: ServiceOptions): ServiceProcess => {
  const { name, port, internalPort, folder, root = ROOT } = options
  const logFile = join(folder, `${name}-${port}.log`)
  let extra: Readonly<Record<string, string>> = {}
  let output: string | undefined
  let child: ChildProcess | undefined
  let isToEnd = false

  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!isAlive(child)) return
    isToEnd = true
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  const spawnIt = (): ChildProcess => {
    const log = openSync(output ?? logFile, 'a')
    const started = spawn(process.execPath, [join(root, 'services', name, 'src', 'main.ts')], {
      cwd: join(root, 'services', name),
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: String(port),
        INTERNAL_PORT: String(internalPort),
        TRUST_PROXY: '1',
        ...options.env,
        ...extra,
      },
    })
    closeSync(log)
    return started
  }

  const start = async (): Promise<void> => {
    if (isAlive(child)) return
    isToEnd = false
    child = spawnIt()
    const deadline = performance.now() + READY_TIMEOUT_MS
    while (!(await isAnswering(`http://127.0.0.1:${internalPort}/health/live`))) {
      if (!isAlive(child)) throw new Error(`${name} ended while starting:\n${tailOf(logFile)}`)
      if (performance.now() > deadline) {
        await end('SIGKILL')
        throw new Error(`${name} did not answer in ${READY_TIMEOUT_MS} ms:\n${tailOf(logFile)}`)
      }
      await wait(POLL_MS)
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    logFile,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start,
    hasEnded: () => child !== undefined && !isToEnd && !isAlive(child),
    pid: () => (isAlive(child) ? child.pid : undefined),
    signal: (signal) => void child?.kill(signal),
    setEnvironment: (env) => {
      extra = env
    },
    setOutput: (file) => {
      output = file
    },
  }
}
