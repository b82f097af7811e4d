/**
 * Applies Prisma-format migrations without Prisma's engine, in Prisma's own `_prisma_migrations` table, so that
 * `prisma migrate deploy` can take over at any time (docs/adr/0004-migrations-in-prisma-format.md).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@merx/telemetry/logger'
import { Client, DatabaseError } from 'pg'
import { findAlteredTables } from './altered-tables.ts'
import { KEEP_ALIVE } from './keep-alive.ts'
import { isSameMigration, readMigrationFolder } from './migration-folder.ts'
import type { Migration } from './migration-folder.ts'

/** Which database, and which migrations. */
export interface MigrateOptions {
  readonly url: string
  /** Folder of `<YYYYMMDDhhmmss>_<name>/migration.sql`. */
  readonly folder: string
  readonly log: Logger
  /** Called after each applied migration. */
  readonly onProgress?: (progress: { name: string; done: number; total: number }) => void
  /** How long to wait for another migrator. Default 660000, a minute more than a migration of it may wait for its tables. */
  readonly lockTimeoutMs?: number
  /** How long to go on asking for tables that others use. Default 600000. */
  readonly tablesTimeoutMs?: number
}

/** A migration that cannot or may not be applied. The message names it; `cause` is PostgreSQL's error. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/** The advisory lock of `prisma migrate`, so the two never run at once. */
const PRISMA_LOCK = 72707369
/** "active SQL transaction": CREATE INDEX CONCURRENTLY and its like refuse to run inside one. */
const ACTIVE_SQL_TRANSACTION = '25001'
/** "lock not available" and "deadlock detected": others use the tables, so the same migration may succeed later. */
const TABLES_IN_USE: ReadonlySet<string | undefined> = new Set(['55P03', '40P01'])
/**
 * How long a migration stands in line for a table. Requests that come after it wait behind it, and a cycle of locks costs a request
 * its transaction after PostgreSQL's `deadlock_timeout`, 1 s, so this is a third of that.
 */
const TABLE_LOCK_MS = 300
const LOCK_PAUSE_MS = 100
const PAUSE_MS = { first: 100, most: 2_000 }

/** Column for column what Prisma's migration engine creates. */
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`

interface AppliedRow {
  readonly migration_name: string
  readonly checksum: string
  readonly finished_at: Date | null
}

/**
 * Brings a database up to date. Two migrators at once: one waits for the other, then finds nothing to do.
 * A migration that fails is rolled back whole, recorded with its error, and tried again on the next run.
 *
 * @returns names of the migrations this call applied.
 * @throws MigrationError when an applied migration's file changed, when one was left half applied, or on failure.
 * @example await migrate({ url, folder: new URL('../migrations', import.meta.url).pathname, log })
 */
export const migrate = async (options: MigrateOptions): Promise<readonly string[]> => {
  const migrations = await readMigrationFolder(options.folder)
  const client = new Client({
    connectionString: options.url,
    application_name: 'merx-migrate',
    ...KEEP_ALIVE,
  })
  // A connection that breaks between two statements is reported by the next statement.
  client.on('error', (error) => options.log.warn({ err: error }, 'the migration connection broke'))
  await client.connect()
  try {
    await lock(client, options)
    await client.query(CREATE_TABLE)
    const pending = await findPending(client, migrations, options.log)
    for (const [index, migration] of pending.entries()) {
      await apply(client, migration, options)
      options.log.info({ migration: migration.name }, 'migration applied')
      options.onProgress?.({ name: migration.name, done: index + 1, total: pending.length })
    }
    return pending.map((migration) => migration.name)
  } finally {
    await client.end() // also frees the lock, which belongs to the session
  }
}

/** Asks again and again: a statement that waits would be an open transaction, which CREATE INDEX CONCURRENTLY waits for. */
const lock = async (
  client: Client,
  { log, lockTimeoutMs: timeoutMs = 660_000 }: MigrateOptions,
): Promise<void> => {
  const endsAt = performance.now() + timeoutMs
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query<{ is_held: boolean }>('SELECT pg_try_advisory_lock($1) AS is_held', [
      PRISMA_LOCK,
    ])
    if (rows[0]?.is_held === true) return
    if (isFirst) log.info({ timeoutMs }, 'another migrator is at work; this one waits for it')
    if (performance.now() + LOCK_PAUSE_MS > endsAt)
      throw new MigrationError(`another migrator held the lock for more than ${timeoutMs} ms`)
    await wait(LOCK_PAUSE_MS)
  }
}

const findPending = async (
  client: Client,
  migrations: readonly Migration[],
  log: Logger,
): Promise<Migration[]> => {
  const { rows } = await client.query<AppliedRow>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  const halfApplied = rows.find((row) => row.finished_at === null)
  if (halfApplied) {
    throw new MigrationError(
      `migration ${halfApplied.migration_name} was started and never finished; look at the database, then set ` +
        'rolled_back_at or finished_at of its row in _prisma_migrations (or use "prisma migrate resolve")',
    )
  }
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]))
  for (const migration of migrations) {
    const recorded = applied.get(migration.name)
    if (recorded !== undefined && !isSameMigration(migration.sql, recorded)) {
      throw new MigrationError(
        `migration ${migration.name} was changed after it was applied: the database has checksum ${recorded}, ` +
          `the file ${migration.checksum}; restore the file and put the change into a new migration`,
      )
    }
    applied.delete(migration.name)
  }
  // A newer release migrated this database: an older replica still starts during a roll-back.
  if (applied.size > 0)
    log.warn({ migrations: [...applied.keys()] }, 'the database has migrations unknown to this release')
  const done = new Set(rows.map((row) => row.migration_name))
  return migrations.filter((migration) => !done.has(migration.name))
}

const apply = async (client: Client, migration: Migration, options: MigrateOptions): Promise<void> => {
  const startedAt = new Date()
  try {
    await applyWhenTablesAreFree(client, migration, startedAt, options)
  } catch (error) {
    if (isTransactionRefused(error)) return applyAlone(client, migration)
    const isRolledBack = !(error instanceof TransactionEnded)
    await record(client, migration, { startedAt, logs: String(error), isRolledBack })
    const outcome = isRolledBack ? 'failed and was rolled back' : 'was applied in part'
    throw new MigrationError(`migration ${migration.name} ${outcome}: ${String(error)}`, { cause: error })
  }
}

const isTransactionRefused = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === ACTIVE_SQL_TRANSACTION

/** The script committed or rolled back by itself, so what it did is no longer ours to undo. */
class TransactionEnded extends Error {
  override readonly name = 'TransactionEnded'
}

/**
 * Gives way to the requests of a service that is running, as often as need be: nothing is applied until all of it is.
 *
 * @throws TablesInUse when others used the tables for all of the time there is.
 */
const applyWhenTablesAreFree = async (
  client: Client,
  migration: Migration,
  startedAt: Date,
  { log, tablesTimeoutMs = 600_000 }: MigrateOptions,
): Promise<void> => {
  const endsAt = performance.now() + tablesTimeoutMs
  for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most)) {
    try {
      await applyInTransaction(client, migration, startedAt)
      return
    } catch (error) {
      if (!areTablesInUse(error)) throw error
      if (performance.now() + pauseMs > endsAt) throw new TablesInUse(tablesTimeoutMs, error)
      log.info({ migration: migration.name, err: error }, 'others use the tables of a migration; it waits')
    }
    await wait(pauseMs)
  }
}

const areTablesInUse = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && TABLES_IN_USE.has(error.code)

/** Others used the tables for too long. */
class TablesInUse extends Error {
  override readonly name = 'TablesInUse'

  constructor(tablesTimeoutMs: number, cause: DatabaseError) {
    super(
      `others used its tables for ${tablesTimeoutMs} ms (${cause.message}); end the transactions that stay open, ` +
        'which pg_stat_activity shows, and run it again',
      { cause },
    )
  }
}

/** The script and its record commit together or not at all. */
const applyInTransaction = async (client: Client, migration: Migration, startedAt: Date): Promise<void> => {
  await client.query('BEGIN')
  try {
    await client.query(`SET LOCAL lock_timeout = '${TABLE_LOCK_MS}ms'`)
    const before = await currentTransaction(client)
    await lockAlteredTables(client, migration)
    await client.query(migration.sql)
    if ((await currentTransaction(client)) !== before) {
      throw new TransactionEnded('it ends the transaction it runs in; remove BEGIN, COMMIT and ROLLBACK')
    }
    await record(client, migration, { startedAt, isFinished: true })
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/**
 * Before the first statement: one that strengthened a lock that it holds, as an ALTER TABLE behind a foreign key does, would be a
 * deadlock with every transaction that read the table and now writes it. What others refer to comes first, as in requests.
 */
const lockAlteredTables = async (client: Client, { sql }: Migration): Promise<void> => {
  const { altered, dropped } = findAlteredTables(sql)
  const { rows } = await client.query<{ name: string }>(
    `WITH altered AS (SELECT to_regclass(name)::oid AS id FROM unnest($1::text[]) AS names (name)),
       dropped AS (SELECT to_regclass(name)::oid AS id FROM unnest($2::text[]) AS names (name))
     SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND oid IN (
       SELECT id FROM altered UNION SELECT id FROM dropped
       UNION SELECT confrelid FROM pg_constraint WHERE contype = 'f' AND conrelid IN (SELECT id FROM dropped))
     ORDER BY (SELECT count(*) FROM pg_constraint WHERE confrelid = pg_class.oid) DESC, 1`,
    [altered, dropped],
  )
  if (rows.length === 0) return
  await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS EXCLUSIVE MODE`)
}

/** One statement that refuses a transaction: if it fails half-way its row stays unfinished for a person to look at. */
const applyAlone = async (client: Client, migration: Migration): Promise<void> => {
  const id = await record(client, migration, { startedAt: new Date() })
  try {
    await client.query(migration.sql)
  } catch (error) {
    // Several statements at once are an implicit transaction, refused before anything ran.
    const isRolledBack = isTransactionRefused(error)
    await client.query(
      'UPDATE _prisma_migrations SET logs = $2, rolled_back_at = CASE WHEN $3 THEN clock_timestamp() END WHERE id = $1',
      [id, String(error), isRolledBack],
    )
    throw new MigrationError(`migration ${migration.name} failed outside a transaction: ${String(error)}`, {
      cause: error,
    })
  }
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1',
    [id],
  )
}

const currentTransaction = async (client: Client): Promise<string | undefined> => {
  const { rows } = await client.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id')
  return rows[0]?.id
}

interface Outcome {
  readonly startedAt: Date
  readonly isFinished?: boolean
  readonly isRolledBack?: boolean
  readonly logs?: string
}

const record = async (client: Client, migration: Migration, outcome: Outcome): Promise<string> => {
  const id = randomUUID()
  await client.query(
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, logs, started_at, finished_at, rolled_back_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, $5, CASE WHEN $6 THEN clock_timestamp() END, CASE WHEN $7 THEN clock_timestamp() END, $8)`,
    [
      id,
      migration.checksum,
      migration.name,
      outcome.logs ?? null,
      outcome.startedAt,
      outcome.isFinished ?? false,
      outcome.isRolledBack ?? false,
      outcome.isFinished ? 1 : 0,
    ],
  )
  return id
}
