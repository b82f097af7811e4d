/** Brings the store to the newest shape: every file of migrations/ once, in order of name. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Logger } from '@merx/telemetry/logger'
import type { Budget } from '../request/limits.ts'
import type { Engine } from './engine.ts'

const budget: Budget = { timeoutMs: 10_000, memoryBytesMax: 100_000_000, groupsMax: 10_000, rowsMax: 10_000 }

const TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations
(name String, checksum String, applied_at DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY name`

interface Migration {
  readonly name: string
  readonly statements: readonly string[]
  readonly checksum: string
}

const readMigrations = async (folder: URL): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      const statements = text.split(/;\s*$/m).filter((part) => part.replace(/^--.*$/gm, '').trim() !== '')
      return { name, statements, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

const readApplied = async (engine: Engine): Promise<ReadonlyMap<string, string>> => {
  const rows = await engine.run({ text: 'SELECT name, checksum FROM schema_migrations', params: {} }, budget)
  return new Map(rows.map(({ name, checksum }) => [String(name), String(checksum)]))
}

export const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/**
 * A migration that was interrupted is run again, so each must be repeatable (`IF NOT EXISTS`). Throws an Error for an
 * applied file whose text changed since: the store can be dropped, and is then rebuilt from the feed.
 */
export const applyMigrations = async (engine: Engine, log: Logger, folder = MIGRATIONS): Promise<void> => {
  await engine.execute({ text: TABLE, params: {} })
  const applied = await readApplied(engine)
  for (const { name, statements, checksum } of await readMigrations(folder)) {
    const known = applied.get(name)
    if (known !== undefined && known !== checksum) {
      throw new Error(`migration ${name} changed after it was applied; add a new file instead`)
    }
    if (known !== undefined) continue
    for (const text of statements) await engine.execute({ text, params: {} })
    const appliedAt = new Date().toISOString().replace('T', ' ').replace('Z', '')
    await engine.insert('schema_migrations', [{ name, checksum, applied_at: appliedAt }])
    log.info({ migration: name }, 'the analytics store was migrated')
  }
}
