/** What PostgreSQL and Redis do short of dying: fail-over, read-only, full. */
import { Redis } from 'ioredis'
import { Client } from 'pg'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'

const inPostgres = async (lab: Lab, ...statements: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString: lab.postgres.url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const setReadOnly = (lab: Lab, value: 'on' | 'off'): Promise<void> =>
  inPostgres(lab, `ALTER SYSTEM SET default_transaction_read_only = ${value}`, 'SELECT pg_reload_conf()')

const inRedis = async (lab: Lab, ...commands: readonly (readonly [string, ...string[]])[]): Promise<void> => {
  const redis = new Redis(lab.redis.url)
  try {
    for (const [name, ...args] of commands) await redis.call(name, ...args)
  } finally {
    redis.disconnect()
  }
}

export const databaseFaults: readonly Fault[] = [
  {
    name: 'end-connections',
    title: 'every connection of PostgreSQL ended by its administrator, five times',
    lastsMs: 100,
    inject: async (lab) => {
      for (let turn = 0; turn < 5; turn += 1)
        await inPostgres(
          lab,
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL',
        )
    },
    repair: () => undefined,
  },
  {
    name: 'read-only-postgres',
    title: 'PostgreSQL read-only, as after a fail-over to a replica',
    lastsMs: 3_000,
    inject: (lab) => setReadOnly(lab, 'on'),
    repair: (lab) => setReadOnly(lab, 'off'),
  },
  {
    name: 'full-redis',
    title: 'Redis out of memory: it refuses every write',
    lastsMs: 3_000,
    inject: (lab) =>
      inRedis(lab, ['CONFIG', 'SET', 'maxmemory-policy', 'noeviction'], ['CONFIG', 'SET', 'maxmemory', '1']),
    repair: (lab) => inRedis(lab, ['CONFIG', 'SET', 'maxmemory', '0']),
  },
]
