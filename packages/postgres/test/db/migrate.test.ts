import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from '@merx/testing/fresh-database'
import type { FreshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'
import { Client } from 'pg'
import { migrate, MigrationError } from '../../src/migrate.ts'
import { checksumOf } from '../../src/migration-folder.ts'

const FIRST = '20260101000000_first'
const SECOND = '20260102000000_second'

let database: FreshDatabase
let client: Client
let folder: string

beforeEach(async () => {
  database = await freshDatabase({ name: 'migrate' })
  client = new Client({ connectionString: database.url })
  await client.connect()
  folder = await mkdtemp(join(tmpdir(), 'merx-migrations-'))
})

afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

const write = async (name: string, sql: string): Promise<void> => {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'migration.sql'), sql)
}

const run = (options: { lockTimeoutMs?: number; tablesTimeoutMs?: number } = {}) =>
  migrate({ url: database.url, folder, log: silentLogger, ...options })

interface Recorded {
  migration_name: string
  checksum: string
  is_finished: boolean
  is_rolled_back: boolean
  applied_steps_count: number
  logs: string | null
}

const recorded = async (): Promise<Recorded[]> => {
  const { rows } = await client.query<Recorded>(`
    SELECT migration_name, checksum, finished_at IS NOT NULL AS is_finished, applied_steps_count,
           rolled_back_at IS NOT NULL AS is_rolled_back, logs
    FROM _prisma_migrations ORDER BY started_at, finished_at NULLS FIRST`)
  return rows
}

const tables = async (): Promise<string[]> => {
  const { rows } = await client.query<{ tablename: string }>(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`,
  )
  return rows.map((row) => row.tablename)
}

describe('migrate', () => {
  it('applies every migration in order to a fresh database and records each', async () => {
    const first = 'CREATE TABLE a (id bigint);\nCREATE TABLE b (id bigint);\n'
    await write(SECOND, 'ALTER TABLE a ADD COLUMN name text')
    await write(FIRST, first)
    const progress: string[] = []
    const applied = await migrate({
      url: database.url,
      folder,
      log: silentLogger,
      onProgress: ({ name, done, total }) => progress.push(`${done}/${total} ${name}`),
    })
    expect(applied).toEqual([FIRST, SECOND])
    expect(progress).toEqual([`1/2 ${FIRST}`, `2/2 ${SECOND}`])
    expect(await tables()).toEqual(['a', 'b'])
    expect(await recorded()).toMatchObject([
      {
        migration_name: FIRST,
        checksum: checksumOf(first),
        is_finished: true,
        is_rolled_back: false,
        logs: null,
      },
      { migration_name: SECOND, is_finished: true, applied_steps_count: 1 },
    ])
  })

  it('does nothing the second time', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint)')
    await run()
    expect(await run()).toEqual([])
    expect(await recorded()).toHaveLength(1)
  })

  it('applies only what is new', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint)')
    await run()
    await write(SECOND, 'CREATE TABLE b (id bigint)')
    expect(await run()).toEqual([SECOND])
  })

  it('refuses a migration that changed after it was applied, and applies nothing then', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint)')
    await run()
    await write(FIRST, 'CREATE TABLE a (id int)')
    await write(SECOND, 'CREATE TABLE b (id bigint)')
    await expect(run()).rejects.toThrow(`migration ${FIRST} was changed after it was applied`)
    expect(await tables()).toEqual(['a'])
  })

  it('accepts a file whose line endings a checkout changed', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint);\n')
    await run()
    await write(FIRST, 'CREATE TABLE a (id bigint);\r\n')
    expect(await run()).toEqual([])
  })

  it('rolls a failed migration back whole, records its error, and stops there', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint); CREATE TABLE a (id bigint)')
    await write(SECOND, 'CREATE TABLE b (id bigint)')
    await expect(run()).rejects.toThrow(
      `migration ${FIRST} failed and was rolled back: error: relation "a" already exists`,
    )
    expect(await tables()).toEqual([])
    expect(await recorded()).toMatchObject([
      { migration_name: FIRST, is_finished: false, is_rolled_back: true, applied_steps_count: 0 },
    ])
    expect((await recorded())[0]?.logs).toContain('relation "a" already exists')
  })

  it('tries a rolled-back migration again once its file is repaired', async () => {
    await write(FIRST, 'CREATE TABLE a (id bogus)')
    await expect(run()).rejects.toThrow(MigrationError)
    await write(FIRST, 'CREATE TABLE a (id bigint)')
    expect(await run()).toEqual([FIRST])
    expect(await recorded()).toMatchObject([
      { is_rolled_back: true },
      { is_finished: true, is_rolled_back: false },
    ])
  })

  it('refuses to continue after a migration that was started and never finished', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint)')
    await run()
    await client.query('UPDATE _prisma_migrations SET finished_at = NULL')
    await expect(run()).rejects.toThrow(`migration ${FIRST} was started and never finished`)
  })

  it('runs a statement alone that refuses a transaction', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint)')
    await write(SECOND, 'CREATE INDEX CONCURRENTLY a_id ON a (id)')
    expect(await run()).toEqual([FIRST, SECOND])
    expect(await recorded()).toMatchObject([
      { is_finished: true },
      { is_finished: true, applied_steps_count: 1 },
    ])
  })

  it('leaves a statement unfinished that failed outside a transaction', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint); INSERT INTO a VALUES (1), (1)')
    await write(SECOND, 'CREATE UNIQUE INDEX CONCURRENTLY a_id ON a (id)')
    await expect(run()).rejects.toThrow(`migration ${SECOND} failed outside a transaction`)
    expect((await recorded())[1]).toMatchObject({ is_finished: false, is_rolled_back: false })
    await expect(run()).rejects.toThrow('never finished')
  })

  it('refuses several statements of which one refuses a transaction, and applies none', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint); CREATE INDEX CONCURRENTLY a_id ON a (id)')
    await expect(run()).rejects.toThrow('cannot run inside a transaction block')
    expect(await tables()).toEqual([])
    expect(await recorded()).toMatchObject([{ is_rolled_back: true }])
  })

  it('reports a migration that commits by itself as applied in part', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint); COMMIT; CREATE TABLE b (id bigint)')
    await expect(run()).rejects.toThrow(`migration ${FIRST} was applied in part`)
    expect(await recorded()).toMatchObject([{ is_finished: false, is_rolled_back: false }])
  })

  it('lets two migrators at once apply each migration once', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint); SELECT pg_sleep(0.2)')
    await write(SECOND, 'CREATE TABLE b (id bigint)')
    const applied = await Promise.all([run(), run(), run()])
    expect(applied.flat()).toEqual([FIRST, SECOND])
    expect(await recorded()).toHaveLength(2)
  })

  it('builds an index while the service runs and another migrator waits', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint); SELECT pg_sleep(0.2)')
    await write(SECOND, 'CREATE INDEX CONCURRENTLY a_id ON a (id)')
    const applied = await Promise.all([run(), run(), run()])
    expect(applied.flat()).toEqual([FIRST, SECOND])
    expect(await recorded()).toMatchObject([{ is_finished: true }, { is_finished: true }])
  })

  it('gives up when another migrator holds the lock for too long', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint)')
    await client.query('SELECT pg_advisory_lock(72707369)')
    await expect(run({ lockTimeoutMs: 50 })).rejects.toThrow(
      'another migrator held the lock for more than 50 ms',
    )
  })

  it('still starts an older release on a database that a newer one migrated', async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint)')
    await write(SECOND, 'CREATE TABLE b (id bigint)')
    await run()
    await rm(join(folder, SECOND), { recursive: true })
    expect(await run()).toEqual([])
  })

  it('keeps the table as Prisma creates it, so that prisma migrate deploy can take over', async () => {
    await write(FIRST, 'SELECT 1')
    await run()
    const { rows } = await client.query<{ column: string }>(`
      SELECT concat_ws(' ', column_name, data_type, character_maximum_length, is_nullable, column_default) AS column
      FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`)
    expect(rows.map((row) => row.column)).toEqual([
      'id character varying 36 NO',
      'checksum character varying 64 NO',
      'finished_at timestamp with time zone YES',
      'migration_name character varying 255 NO',
      'logs text YES',
      'rolled_back_at timestamp with time zone YES',
      'started_at timestamp with time zone NO now()',
      'applied_steps_count integer NO 0',
    ])
  })
})

describe('migrate while a service is running', () => {
  const ADD_COLUMNS = 'ALTER TABLE a ADD COLUMN name text; ALTER TABLE b ADD COLUMN name text'
  let service: Client

  beforeEach(async () => {
    await write(FIRST, 'CREATE TABLE a (id bigint); CREATE TABLE b (id bigint)')
    await run()
    service = new Client({ connectionString: database.url })
    await service.connect()
    await service.query(`SET deadlock_timeout = '10s'`) // else either of the two may be the one that PostgreSQL picks
    await service.query('BEGIN')
    await service.query('INSERT INTO b VALUES (1)')
  })

  afterEach(async () => service.end())

  /** Until the migration stands in line for b, or is asleep between two attempts. */
  const migrationBegan = async (): Promise<void> => {
    for (;;) {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE NOT granted AND application_name = 'merx-migrate'`,
      )
      if (rows[0]?.count === 1) return
    }
  }

  it.each([
    ['stands back', ADD_COLUMNS],
    // What a body does is not known before it is done.
    [
      'is the one that ends a cycle of locks',
      `SET LOCAL lock_timeout = '20s'; DO $$ BEGIN ${ADD_COLUMNS}; END $$`,
    ],
  ])('%s, and is applied when the tables are free', async (_what, sql) => {
    await write(SECOND, sql)
    const migrated = run()
    await migrationBegan()
    await service.query('INSERT INTO a VALUES (1)') // which the migration holds, and waits for b
    await service.query('COMMIT')
    expect(await migrated).toEqual([SECOND])
    const { rows } = await client.query('SELECT a.id AS a, b.id AS b, a.name FROM a, b')
    expect(rows).toEqual([{ a: '1', b: '1', name: null }])
    expect((await recorded()).map((row) => row.is_finished)).toEqual([true, true]) // the attempts are no failures
  })

  it('fails no request and keeps none waiting while a transaction stays open', async () => {
    await write(SECOND, ADD_COLUMNS)
    const migrated = run()
    await migrationBegan()
    await client.query(`SET statement_timeout = '900ms'`)
    for (let request = 0; request < 20; request += 1) await client.query('SELECT * FROM a')
    await service.query('COMMIT')
    expect(await migrated).toEqual([SECOND])
  })

  it.each([
    ['strengthens its lock', 'CREATE INDEX a_id_idx ON a (id); ALTER TABLE a ADD COLUMN name text'],
    ['drops what refers to it', 'CREATE INDEX a_id_idx ON a (id); DROP TABLE c'],
  ])('lets a transaction that has read a table write it when the migration %s', async (_what, sql) => {
    await service.query('COMMIT')
    await client.query('ALTER TABLE a ADD PRIMARY KEY (id); CREATE TABLE c (a_id bigint REFERENCES a (id))')
    await write(SECOND, sql)
    await service.query('BEGIN')
    await service.query('SELECT FROM a')
    const migrated = run()
    await migrationBegan()
    await service.query(`SET LOCAL lock_timeout = '100ms'`) // a third of what the migration waits
    await service.query('INSERT INTO a VALUES (1)')
    await service.query('COMMIT')
    expect(await migrated).toEqual([SECOND])
  })

  it('says what to do when the tables are never free, and leaves nothing behind', async () => {
    await write(SECOND, ADD_COLUMNS)
    await expect(run({ tablesTimeoutMs: 500 })).rejects.toThrow(
      `migration ${SECOND} failed and was rolled back: TablesInUse: others used its tables for 500 ms ` +
        '(canceling statement due to lock timeout); end the transactions that stay open, which pg_stat_activity shows, ' +
        'and run it again',
    )
    await service.query('COMMIT')
    expect((await recorded())[1]).toMatchObject({ is_finished: false, is_rolled_back: true })
    expect(await run()).toEqual([SECOND])
  })
})
