/** Starts and stops the whole system as `npm start` does after its installation step. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readDemo } from './demo.ts'
import { send, type Reply } from './send.ts'
import { isAddressInHeader } from './source-address.ts'

const ROOT = resolve(import.meta.dirname, '../..')

export interface SystemOptions {
  readonly dataDir: string
  readonly basePort: number
  readonly authPort: number
  /** More environment, for example the size of the demo data. */
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Root of the sources; default this checkout. */
  readonly root?: string
}

export interface RunningSystem {
  readonly pid: number
  readonly dataDir: string
  readonly logFile: string
  /** From spawn to the first good answer of every interface. */
  readonly readyInMs: number
  /**
   * Ends the process and waits until it is gone; SIGKILL follows a polite signal after 30 s. Gives the signal that ended
   * it, or null when it ended by itself.
   */
  stop(signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<NodeJS.Signals | null>
}

/** The last lines of a log file. */
export const tailOf = (file: string, lines = 60): string =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n') : '(no log)'

const attempt = (url: string, method: string): Promise<Reply | undefined> =>
  send({ method, url, from: '127.0.0.1', timeoutMs: 2_000 }).catch(() => undefined)

/** The last line of a start (infra/embedded/src/start.ts). */
const LAST_LINE = /^merx .* s {2}(ready$|metrics cannot be filled yet)/m

/** Ready means: the start has written its last line and each interface gives the answer of a finished start. */
const isReady = async (dataDir: string, output: string): Promise<boolean> => {
  if (!LAST_LINE.test(output)) return false
  const { base_url, auth_url } = readDemo(dataDir)
  const answers = await Promise.all([
    attempt(`${base_url}/api/skus`, 'GET'),
    attempt(`${base_url}/metrics/orders/stats`, 'POST'),
    attempt(`${auth_url}/.well-known/jwks.json`, 'GET'),
  ])
  return answers.map((answer) => answer?.status).join() === '401,401,200'
}

const exitOf = (child: ChildProcess) =>
  new Promise<void>((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done()
    else child.once('exit', () => done())
  })

const stopper =
  (child: ChildProcess) =>
  async (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<NodeJS.Signals | null> => {
    const gone = exitOf(child)
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
    await gone
    clearTimeout(timer)
    return child.signalCode
  }

/** Spawns the system and waits until it answers; throws with the end of its log when it does not. */
export const launchSystem = async (options: SystemOptions): Promise<RunningSystem> => {
  const { dataDir, basePort, authPort, env = {}, timeoutMs, root = ROOT } = options
  const logFile = join(dataDir, `start-${basePort}.log`)
  const log = openSync(logFile, 'a')
  const { size: begin } = fstatSync(log)
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(root, 'infra/embedded/src/start.ts')], {
    cwd: root,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      MERX_DATA_DIR: dataDir,
      MERX_BASE_PORT: String(basePort),
      MERX_AUTH_PORT: String(authPort),
      ...(isAddressInHeader() ? { TRUST_PROXY: '1' } : {}),
      ...env,
    },
  })
  closeSync(log)
  const stop = stopper(child)
  const fail = async (why: string) => {
    await stop('SIGKILL')
    return new Error(`the system ${why}; end of ${logFile}:\n${tailOf(logFile)}`)
  }
  while (!(await isReady(dataDir, readFileSync(logFile).subarray(begin).toString()))) {
    if (child.exitCode !== null) throw await fail(`ended with code ${child.exitCode} while starting`)
    if (performance.now() - startedAt > timeoutMs) throw await fail(`was not ready in ${timeoutMs} ms`)
    await wait(100)
  }
  const readyInMs = Math.round(performance.now() - startedAt)
  return { pid: child.pid ?? 0, dataDir, logFile, readyInMs, stop }
}
