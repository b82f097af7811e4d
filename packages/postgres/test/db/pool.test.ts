import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { freshDatabase } from '@merx/testing/fresh-database'
import type { FreshDatabase } from '@merx/testing/fresh-database'
import type { Pool, PoolClient } from 'pg'
import { createDatabaseIfMissing, withDatabase } from '../../src/create-database.ts'
import { createPool } from '../../src/pool.ts'

/** So short that its tests need not wait, so long that everything else ends in time on a busy machine. */
const TIMEOUT_MS = 2_000

let database: FreshDatabase
let pool: Pool

beforeAll(async () => {
  database = await freshDatabase({ name: 'pool' })
  pool = createPool({
    url: database.url,
    maxConnections: 2,
    statementTimeoutMs: TIMEOUT_MS,
    applicationName: 'merx-pool-test',
    connectionTimeoutMs: TIMEOUT_MS,
  })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Of Linux, for a connection from this port: which timer runs, and in how many hundredths of a second it ends. */
const timerOf = (port: number): { readonly kind: string; readonly after: number } => {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const [, , , , , timer = ''] =
    ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .find(([, address]) => address?.endsWith(local)) ?? []
  const [kind = '', after = ''] = timer.split(':')
  return { kind, after: Number.parseInt(after, 16) }
}
const KEEP_ALIVE_TIMER = '02'

const portOf = (client: PoolClient): number => {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
  return connection.stream.localPort ?? 0
}

describe('pool', () => {
  it('asks a server that says nothing for ten seconds whether it is there', async () => {
    const client = await pool.connect()
    try {
      await client.query('SELECT 1')
      const { kind, after } = timerOf(portOf(client))
      expect(kind).toBe(KEEP_ALIVE_TIMER)
      expect(after).toBeLessThanOrEqual(1_000)
    } finally {
      client.release()
    }
  })

  it('reads the types of a real row as documented', async () => {
    const { rows } = await pool.query(`
      SELECT 9007199254740991::int8 AS big, 1.10::numeric AS exact, '2026-01-31'::date AS day,
             '2026-01-31T10:00:00Z'::timestamptz AS at, '2026-01-31T10:00:00'::timestamp AS utc,
             ARRAY[1, 2]::int8[] AS bigs, current_setting('application_name') AS name, current_setting('jit') AS jit,
             current_setting('TimeZone') AS zone`)
    expect(rows[0]).toEqual({
      big: 9007199254740991,
      exact: '1.10',
      day: '2026-01-31',
      at: new Date('2026-01-31T10:00:00Z'),
      utc: new Date('2026-01-31T10:00:00Z'),
      bigs: [1, 2],
      name: 'merx-pool-test',
      jit: 'off',
      zone: 'UTC',
    })
  })

  it('fails the query, not the process, on an int8 no number holds, and stays usable', async () => {
    await expect(pool.query('SELECT 9007199254740992::int8')).rejects.toThrow('beyond 2^53 - 1')
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('cancels a statement that runs past its time', async () => {
    await expect(pool.query('SELECT pg_sleep(5)')).rejects.toMatchObject({ code: '57014' })
  })

  it('refuses a caller when no connection becomes free in time', async () => {
    const held = [await pool.connect(), await pool.connect()]
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout exceeded when trying to connect')
    held.forEach((client) => client.release())
  })

  it('survives a connection being cut that is in use and waits for its next statement', async () => {
    const [cut, other] = [await pool.connect(), await pool.connect()]
    await cut.query('BEGIN')
    const { rows } = await cut.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const gone = new Promise((resolve) => cut.once('end', resolve))
    await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    await gone
    await expect(cut.query('SELECT 1')).rejects.toThrow()
    cut.release()
    other.release()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('survives its connections being cut', async () => {
    const [cut, other] = [await pool.connect(), await pool.connect()]
    const { rows } = await cut.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    cut.release()
    const broke = new Promise((resolve) => pool.once('error', resolve))
    await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    other.release()
    await broke
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })
})

describe('createDatabaseIfMissing', () => {
  it('creates a database once, also when called twice at once', async () => {
    const name = `${new URL(database.url).pathname.slice(1)}_extra`
    const url = withDatabase(database.url, name)
    const created = await Promise.all([createDatabaseIfMissing(url), createDatabaseIfMissing(url)])
    expect(created.filter(Boolean)).toHaveLength(1)
    expect(await createDatabaseIfMissing(url)).toBe(false)
    await pool.query(`DROP DATABASE "${name}" WITH (FORCE)`)
  })
})
