/** A PostgreSQL server that belongs to this process: its own data folder, its own port, and it ends with us. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chooseAccount, launchAs } from './account.ts'
import type { Account } from './account.ts'
import { findBinaries } from './binaries.ts'
import type { PostgresBinaries } from './binaries.ts'
import { findFreePort } from './free-port.ts'
import { initialiseCluster } from './initialise-cluster.ts'
import { clearLeftover, readPostmaster, stopProcess } from './postmaster.ts'
import { environment, USER } from './server-account.ts'
import { spawnWatchdog } from './watchdog.ts'

/** Where the cluster lives and how it is set. */
export interface LocalPostgresOptions {
  /** Absolute; created when missing. The caller makes sure that nobody else uses it. */
  readonly dataFolder: string
  /** Of the account `merx`, which owns everything. Only read when the folder is new. */
  readonly password: string
  /** Where the server writes its log; emptied at each start when longer than 10 MB. */
  readonly logFile: string
  /** false: nothing waits for the disk, a power cut destroys the cluster. For tests. */
  readonly isDurable: boolean
  /** Server settings (`postgresql.conf` names) over the defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** Ports not to take, because they are meant for something else. */
  readonly avoidPorts?: ReadonlySet<number>
  readonly onProgress?: (message: string) => void
}

/** A running PostgreSQL of this process. */
export interface LocalPostgres {
  readonly port: number
  readonly pid: number
  /** `postgresql://merx:…@127.0.0.1:<port>/<database>`, whether the database exists or not. */
  url(database: string): string
  /** Settles when the server ends without having been asked to. */
  readonly ended: Promise<void>
  /** Cuts the clients, writes a checkpoint, ends. Repeating is harmless. */
  stop(): Promise<void>
}

const PORT_ATTEMPTS = 3
const READY_TIMEOUT_MS = 60_000
const POLL_MS = 20
const LOG_BYTES_MAX = 10 * 1024 * 1024
const LOG_TAIL_CHARS = 2_000

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  // A laptop keeps what it has room for: a first start is as fast as with 2 GB, and takes half the disk.
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
}
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const VOLATILE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Creates the cluster when the folder is new (about a second), recovers what a crash left, and starts the server.
 * @throws NoClusterError when the folder has other files; Error with the end of the server's log when it does not come up.
 */
export const startLocalPostgres = async (options: LocalPostgresOptions): Promise<LocalPostgres> => {
  const binaries = await findBinaries()
  const account = chooseAccount(options.dataFolder)
  const progress = options.onProgress ?? (() => undefined)
  if (hasCluster(options.dataFolder)) {
    const left = await clearLeftover(options.dataFolder)
    if (left === 'running server') progress('stopped a PostgreSQL that an earlier run left behind')
  } else {
    progress('creating the PostgreSQL data folder')
    await initialiseCluster(options, binaries, account)
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(options, binaries, account)
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || !isPortTaken(error)) throw error
    }
  }
}

/** A folder with files that is no cluster: it is left as it is, because the files may be all that is left of one. */
export class NoClusterError extends Error {
  override readonly name = 'NoClusterError'
}

const hasCluster = (folder: string): boolean => {
  if (!existsSync(folder)) return false
  const names = readdirSync(folder)
  if (names.includes('PG_VERSION')) return true
  if (names.length > 0) throw new NoClusterError(`${folder} has files and no PG_VERSION`)
  return false
}

const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && /could not (bind|create any)/.test(error.message)

const launch = async (
  options: LocalPostgresOptions,
  binaries: PostgresBinaries,
  account?: Account,
): Promise<LocalPostgres> => {
  const port = await findFreePort(options.avoidPorts)
  const settings = { ...SETTINGS, ...(options.isDurable ? DURABLE : VOLATILE), ...options.settings }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', options.dataFolder, '-p', String(port), ...flags]
  const { file, args: fullArgs, ids } = launchAs(account, binaries.postgres, args, [options.dataFolder])
  const log = openLog(options.logFile)
  // A process group of its own: Ctrl-C in the terminal must reach us first, so that requests under way can end.
  const child = spawn(file, fullArgs, {
    ...ids,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: environment(),
  })
  closeSync(log.fd)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const pid = await untilReady(child, options.dataFolder, () =>
    readFileSync(options.logFile, 'utf8').slice(log.offset),
  )
  const watchdog = spawnWatchdog({ pid, pidFile: path.join(options.dataFolder, 'postmaster.pid') })
  let isStopping = false
  const ended = new Promise<void>((resolve) => {
    void exited.then(() => {
      watchdog.dismiss()
      if (!isStopping) resolve()
    })
  })
  const stop = async (): Promise<void> => {
    isStopping = true
    if (child.exitCode === null && child.signalCode === null) await Promise.all([stopProcess(pid), exited])
    watchdog.dismiss()
  }
  const url = (database: string): string =>
    `postgresql://${USER}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${database}`
  return { port, pid, url, ended, stop }
}

const openLog = (file: string): { fd: number; offset: number } => {
  mkdirSync(path.dirname(file), { recursive: true })
  const isLong = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX
  const fd = openSync(file, isLong ? 'w' : 'a', 0o600)
  return { fd, offset: fstatSync(fd).size }
}

/** @returns the process id of the server itself; `child` may be the program that changes the account first. */
const untilReady = async (child: ChildProcess, dataFolder: string, newLog: () => string): Promise<number> => {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  for (let waitedMs = 0; waitedMs < READY_TIMEOUT_MS; waitedMs += POLL_MS) {
    if (failure !== undefined) throw failure
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`PostgreSQL ended while starting:\n${newLog().slice(-LOG_TAIL_CHARS).trim()}`)
    }
    const postmaster = readPostmaster(dataFolder)
    if (postmaster?.isReady === true && postmaster.pid === child.pid) return postmaster.pid
    await wait(POLL_MS)
  }
  child.kill('SIGQUIT')
  throw new Error(
    `PostgreSQL was not ready within ${READY_TIMEOUT_MS} ms:\n${newLog().slice(-LOG_TAIL_CHARS).trim()}`,
  )
}
