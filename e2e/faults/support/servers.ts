/** PostgreSQL, Redis and the analytics engine of the lab: real processes, each behind a proxy that can be slow or cut. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '@merx/local-postgres/free-port'
import { startLocalPostgres, type LocalPostgres } from '@merx/local-postgres/local-postgres'
import { startClickHouseProcess, type ClickHouseProcess } from '@merx/testing/clickhouse-process'
import { startDelayProxy, type DelayProxy } from '@merx/testing/delay-proxy'
import { startRedisServer, type RedisServer } from '@merx/testing/redis-server'
import type { Restartable } from './service-process.ts'

/** A server and the network in front of it; `url` leads through the network. */
export interface LabServer extends Restartable {
  readonly url: string
  readonly link: DelayProxy
}

export interface LabServers {
  readonly postgres: LabServer & { databaseUrl(name: string): string }
  readonly redis: LabServer
  readonly engine: LabServer & {
    readonly folder: string
    /** Whether the folder is a disk of its own, which can be filled. */
    readonly isOwnDisk: boolean
  }
  close(): Promise<void>
}

const throughLink = (url: string, link: DelayProxy): string => {
  const target = new URL(url)
  target.port = String(link.port)
  return target.href.replace(/\/$/, '')
}

/** kill -9 of the postmaster: its children notice and end, as after a crash of the server. */
const killPostgres = async (postgres: LocalPostgres | undefined): Promise<void> => {
  if (postgres === undefined) return
  process.kill(postgres.pid, 'SIGKILL')
  await postgres.ended
}

const openPostgres = async (folder: string): Promise<LabServers['postgres']> => {
  const start = (): Promise<LocalPostgres> =>
    startLocalPostgres({
      dataFolder: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      password: 'of-a-fault-test',
      isDurable: true,
      settings: { wal_level: 'replica' },
    })
  let server: LocalPostgres | undefined = await start()
  const link = await startDelayProxy(() => server?.port ?? 1)
  const databaseUrl = (name: string): string => throughLink(server?.url(name) ?? '', link)
  return {
    url: databaseUrl('postgres'),
    link,
    databaseUrl,
    kill: async () => {
      const killed = server
      server = undefined
      await killPostgres(killed)
    },
    start: async () => {
      server ??= await start()
    },
  }
}

const openRedis = async (folder: string): Promise<LabServer> => {
  const port = await findFreePort()
  let server: RedisServer | undefined = await startRedisServer({ folder, port })
  const link = await startDelayProxy(port)
  return {
    url: `redis://127.0.0.1:${link.port}`,
    link,
    kill: async () => {
      await server?.stop()
      server = undefined
    },
    start: async () => {
      server ??= await startRedisServer({ folder, port })
    },
  }
}

/** A file system in memory of its own size stands in for a small disk; only root may have one. */
const mountDisk = (folder: string, megabytes: number): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
    .status === 0

const openEngine = async (
  folder: string,
  diskMegabytes: number | undefined,
): Promise<LabServers['engine']> => {
  const disk = join(folder, 'engine')
  mkdirSync(disk, { recursive: true })
  const isOwnDisk = diskMegabytes !== undefined && mountDisk(disk, diskMegabytes)
  const password = randomBytes(12).toString('hex')
  const port = await findFreePort()
  const start = (): Promise<ClickHouseProcess> =>
    startClickHouseProcess({ folder: join(disk, 'data'), password, port })
  let server: ClickHouseProcess | undefined = await start()
  const link = await startDelayProxy(port)
  return {
    url: throughLink(server.url, link),
    link,
    folder: disk,
    isOwnDisk,
    kill: async () => {
      await server?.kill()
      server = undefined
    },
    start: async () => {
      server ??= await start()
    },
  }
}

/** @param diskMegabytes gives the engine a disk of its own, where the machine allows it */
export const openServers = async (folder: string, diskMegabytes?: number): Promise<LabServers> => {
  await using opening = new AsyncDisposableStack()
  const [postgres, redis, engine] = [
    await openPostgres(folder),
    await openRedis(folder),
    await openEngine(folder, diskMegabytes),
  ]
  if (engine.isOwnDisk)
    opening.defer(() => void spawnSync('umount', ['--lazy', engine.folder], { stdio: 'ignore' }))
  for (const server of [postgres, redis, engine]) {
    opening.defer(() => server.link.close())
    opening.defer(() => server.kill())
  }
  const opened = opening.move()
  return { postgres, redis, engine, close: () => opened.disposeAsync() }
}
