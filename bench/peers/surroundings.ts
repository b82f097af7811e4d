/** PostgreSQL, Redis and processes, the same for every system that is measured. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { exchange, type LoadRequest } from '@merx/load/exchange'
import { createDatabaseIfMissing, withDatabase } from '@merx/postgres/create-database'
import { createPool } from '@merx/postgres/pool'
import { Redis } from 'ioredis'
import { Client } from 'undici'
import { ownProcessorTime } from '../processor-time.ts'
import type { Running, Storefront } from './peer.ts'

export const ROOT = path.resolve(import.meta.dirname, '..', '..')

/** Where peers are installed and what they write is kept; git does not see it. */
export const PEERS_FOLDER = path.join(ROOT, '.merx', 'peers')

const POSTGRES = process.env['PEERS_POSTGRES_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/postgres'
const REDIS = process.env['PEERS_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 15_000
const KB = 1024

export type Environment = Readonly<Record<string, string>>

export const databaseUrl = (name: string): string => withDatabase(POSTGRES, name)

/** Database `number` of Redis. */
export const redisUrl = (number: number): string => `${REDIS}/${number}`

const openPool = (url: string) =>
  createPool({ url, maxConnections: 1, statementTimeoutMs: 600_000, applicationName: 'bench' })

/** Rows of one statement, sent over a connection of its own. */
export const query = async <Row extends object>(
  database: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => {
  const pool = openPool(databaseUrl(database))
  try {
    return (await pool.query<Row>(text, [...values])).rows
  } finally {
    await pool.end()
  }
}

/** Processor time so far of each process of PostgreSQL that serves one of these databases, when it is on this machine. */
export const backendTimes = async (databases: readonly string[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await query<{ pid: number }>(
    'postgres',
    'SELECT pid FROM pg_stat_activity WHERE datname = ANY ($1)',
    [databases],
  )
  return new Map(rows.map(({ pid }) => [pid, ownProcessorTime(pid)]))
}

/** Drops the database and makes it again. */
export const recreateDatabase = async (name: string): Promise<void> => {
  await query('postgres', `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
  await createDatabaseIfMissing(databaseUrl(name))
}

export const flushRedis = async (number: number): Promise<void> => {
  const redis = new Redis(redisUrl(number))
  await redis.flushdb()
  await redis.quit()
}

const inheritedEnvironment = (): Environment =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

export interface Program {
  readonly name: string
  readonly folder: string
  /** Of node. */
  readonly args: readonly string[]
  readonly env: Environment
}

/** Starts it with Node in production mode; what it writes goes into a file of PEERS_FOLDER. */
export const startProgram = ({ name, folder, args, env }: Program) => {
  mkdirSync(PEERS_FOLDER, { recursive: true })
  const log = createWriteStream(path.join(PEERS_FOLDER, `${name.replaceAll(/\W+/g, '-')}.log`))
  const child = spawn(process.execPath, [...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inheritedEnvironment(), NODE_ENV: 'production', ...env },
  })
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  return { name, child }
}

/** Runs it to its end. @throws Error with the end of what it wrote */
export const runProgram = async ({ folder, args, env }: Omit<Program, 'name'>): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [...args], {
    cwd: folder,
    env: { ...inheritedEnvironment(), NODE_ENV: 'production', ...env },
    maxBuffer: 256 * KB * KB,
  })
  return stdout
}

const isGone = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** SIGTERM, and SIGKILL when that is not enough. */
export const stopProgram = async (child: ChildProcess): Promise<void> => {
  if (isGone(child)) return
  child.kill('SIGTERM')
  for (let waited = 0; !isGone(child) && waited < STOP_TIMEOUT_MS; waited += 50) await wait(50)
  if (!isGone(child)) child.kill('SIGKILL')
}

/** Asks until the answer is good. @throws Error when a process ends or two minutes pass */
export const untilAnswered = async (
  url: string,
  request: LoadRequest,
  children: readonly ChildProcess[],
): Promise<void> => {
  const endsAt = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const client = new Client(url)
    const status = await exchange(client, request, true).then(
      (answer) => answer.status,
      () => 0, // nobody listens yet
    )
    await client.destroy()
    if (status === 200) return
    if (children.some(isGone)) throw new Error(`a process ended while it started; see ${PEERS_FOLDER}`)
    if (performance.now() > endsAt) throw new Error(`${url} was not ready in time; see ${PEERS_FOLDER}`)
    await wait(20)
  }
}

/** Once it answers its first page. @param startedAt of performance.now() @throws Error as `untilAnswered` */
export const untilRunning = async (
  storefront: Storefront,
  processes: Running['processes'],
  startedAt: number,
): Promise<Running> => {
  const children = processes.map(({ child }) => child)
  await untilAnswered(storefront.url, storefront.listPage(1), children)
  const readyInMs = performance.now() - startedAt
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(stopProgram))
  }
  return { ...storefront, processes, readyInMs, stop }
}

const parentOf = (pid: string): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

const residentOf = (pid: number): number =>
  KB * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

/** Resident bytes of a process and its children, from Linux' /proc. */
export const memoryOf = ({ pid = 0 }: ChildProcess): number => {
  const children = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && parentOf(name) === pid
    } catch {
      return false // it ended between the listing and the reading
    }
  })
  return [pid, ...children.map(Number)].reduce((sum, each) => sum + residentOf(each), 0)
}
