/** PostgreSQL, Redis and the analytics engine of the lab: real processes, each behind a proxy that can be slow or cut. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
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

interface OwnDisk {
  readonly folder: string
  /** Whether the folder is a disk of its own, which can be filled. */
  readonly isOwnDisk: boolean
}

/** Sizes of disks of their own, where the machine allows it. */
export interface DiskMegabytes {
  readonly postgres: number
  readonly engine: number
}

export interface LabServers {
  readonly postgres: LabServer & OwnDisk & { databaseUrl(name: string): string }
  readonly redis: LabServer
  readonly engine: LabServer & OwnDisk & { readonly dataFolder: string }
  close(): Promise<void>
}

const throughLink = (url: string, link: DelayProxy): string => {
  const target = new URL(url)
  target.port = String(link.port)
  return target.href.replace(/\/$/, '')
}

/** It may have ended by itself, for want of room on its disk. */
const hasEnded = async (postgres: LocalPostgres | undefined): Promise<boolean> =>
  postgres !== undefined && (await Promise.race([postgres.ended.then(() => true), wait(0, false)]))

/** kill -9 of the postmaster: its children notice and end, as after a crash of the server. */
const killPostgres = async (postgres: LocalPostgres | undefined): Promise<void> => {
  if (postgres === undefined || (await hasEnded(postgres))) return
  process.kill(postgres.pid, 'SIGKILL')
  await postgres.ended
}

/** A file system in memory of its own size stands in for a small disk; only root may have one. */
const openDisk = (folder: string, megabytes: number | undefined): OwnDisk => {
  mkdirSync(folder, { recursive: true })
  const isOwnDisk =
    megabytes !== undefined &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
      .status === 0
  return { folder, isOwnDisk }
}

const closeDisk = ({ folder, isOwnDisk }: OwnDisk): void => {
  if (isOwnDisk) spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' })
}

const openPostgres = async (folder: string, diskMegabytes?: number): Promise<LabServers['postgres']> => {
  const disk = openDisk(join(folder, 'postgres'), diskMegabytes)
  const start = (): Promise<LocalPostgres> =>
    startLocalPostgres({
      dataFolder: join(disk.folder, 'data'),
      logFile: join(folder, 'postgres.log'),
      password: 'of-a-fault-test',
      isDurable: true,
      settings: { wal_level: 'replica', max_wal_size: '256MB' },
    })
  let server: LocalPostgres | undefined = await start()
  const link = await startDelayProxy(() => server?.port ?? 1)
  const databaseUrl = (name: string): string => throughLink(server?.url(name) ?? '', link)
  return {
    ...disk,
    url: databaseUrl('postgres'),
    link,
    databaseUrl,
    kill: async () => {
      const killed = server
      server = undefined
      await killPostgres(killed)
    },
    start: async () => {
      if (await hasEnded(server)) server = undefined
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

const openEngine = async (
  folder: string,
  diskMegabytes: number | undefined,
): Promise<LabServers['engine']> => {
  const disk = openDisk(join(folder, 'engine'), diskMegabytes)
  const dataFolder = join(disk.folder, 'data')
  const password = randomBytes(12).toString('hex')
  const port = await findFreePort()
  const start = (): Promise<ClickHouseProcess> =>
    startClickHouseProcess({ folder: dataFolder, password, port })
  let server: ClickHouseProcess | undefined = await start()
  const link = await startDelayProxy(port)
  return {
    ...disk,
    dataFolder,
    url: throughLink(server.url, link),
    link,
    kill: async () => {
      await server?.kill()
      server = undefined
    },
    start: async () => {
      server ??= await start()
    },
  }
}

export const openServers = async (folder: string, diskMegabytes?: DiskMegabytes): Promise<LabServers> => {
  await using opening = new AsyncDisposableStack()
  const [postgres, redis, engine] = [
    await openPostgres(folder, diskMegabytes?.postgres),
    await openRedis(folder),
    await openEngine(folder, diskMegabytes?.engine),
  ]
  opening.defer(() => closeDisk(postgres))
  opening.defer(() => closeDisk(engine))
  for (const server of [postgres, redis, engine]) {
    opening.defer(() => server.link.close())
    opening.defer(() => server.kill())
  }
  const opened = opening.move()
  return { postgres, redis, engine, close: () => opened.disposeAsync() }
}
