/** What PostgreSQL and Redis do short of dying: fail-over, read-only, full, locked, taken by others, spoilt. */
import { Redis } from 'ioredis'
import { Client } from 'pg'
import type { Lab } from '../support/lab.ts'
import type { Fault } from '../support/run-fault.ts'

const openClient = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined) // the server ended it, which some faults ask for
  await client.connect()
  return client
}

const inPostgres = async (lab: Lab, ...statements: readonly string[]): Promise<void> => {
  const client = await openClient(lab.postgres.url)
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

const END_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> ALL ($1) AND datname IS NOT NULL'
const TOO_MANY_CONNECTIONS = '53300'

/** Takes connections until the server has none left, also those that it keeps for its owner. */
const takeConnections = async (url: string): Promise<readonly Client[]> => {
  const taken: Client[] = []
  for (;;) {
    try {
      taken.push(await openClient(url))
    } catch (error) {
      if ((error as { code?: unknown }).code === TOO_MANY_CONNECTIONS) return taken
      throw error
    }
  }
}

/** Services lose theirs as well, twice, so that nearly all are in the hands of somebody else. */
const createTakenConnections = (): Fault => {
  let taken: readonly Client[] = []
  return {
    name: 'no-connections',
    title: 'somebody else holds every connection that PostgreSQL gives',
    lastsMs: 3_000,
    inject: async ({ postgres }) => {
      for (let turn = 0; turn < 2; turn += 1) {
        taken = [...taken, ...(await takeConnections(postgres.url))]
        const pids = await Promise.all(
          taken.map(async (client) => {
            const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
            return rows[0]?.pid
          }),
        )
        await taken[0]?.query(END_OTHERS, [pids])
      }
      taken = [...taken, ...(await takeConnections(postgres.url))]
    },
    repair: async () => {
      await Promise.all(taken.map((client) => client.end()))
      taken = []
    },
  }
}

/** As a change of the schema by hand does it that does not give up. */
const createLockedTables = (): Fault => {
  let holder: Client | undefined
  return {
    name: 'locked-tables',
    title: 'somebody else locks the orders and line items of core for four seconds',
    lastsMs: 4_000,
    inject: async ({ postgres }) => {
      holder = await openClient(postgres.databaseUrl('merx_core'))
      await holder.query('BEGIN')
      await holder.query('LOCK TABLE orders, line_items IN ACCESS EXCLUSIVE MODE')
    },
    repair: async () => {
      await holder?.query('ROLLBACK')
      await holder?.end()
      holder = undefined
    },
  }
}

/** What another program could leave in a Redis that it shares: each key holds a text that none of ours wrote. */
const SPOIL = `
local spoilt = 0
local cursor = '0'
repeat
  local page = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local ttl = redis.call('PTTL', key)
    redis.call('SET', key, 'spoilt')
    if ttl > 0 then redis.call('PEXPIRE', key, ttl) end
    spoilt = spoilt + 1
  end
until cursor == '0'
return spoilt`

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
  {
    name: 'evicting-redis',
    title: 'Redis out of memory: it throws away keys to make room for others',
    lastsMs: 3_000,
    inject: (lab) =>
      inRedis(
        lab,
        ['CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random'],
        ['CONFIG', 'SET', 'maxmemory', '1100kb'],
      ),
    repair: (lab) =>
      inRedis(lab, ['CONFIG', 'SET', 'maxmemory', '0'], ['CONFIG', 'SET', 'maxmemory-policy', 'noeviction']),
  },
  {
    name: 'spoilt-redis',
    title: 'every value in Redis written over by another program, three times',
    lastsMs: 100,
    inject: async (lab) => {
      for (let turn = 0; turn < 3; turn += 1) await inRedis(lab, ['EVAL', SPOIL, '0'])
    },
    repair: () => undefined,
  },
  createTakenConnections(),
  createLockedTables(),
]
