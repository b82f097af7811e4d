/** Reads a Prisma migration folder: `<folder>/<14 digits>_<name>/migration.sql`, in order of name. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One migration of a folder. */
export interface Migration {
  /** The folder's name, which is Prisma's migration_name. */
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file, 64 lower-case hex digits, as Prisma computes it. */
  readonly checksum: string
}

const NAME = /^\d{14}_[A-Za-z0-9_-]{1,200}$/

/** SHA-256, 64 lower-case hex digits, as Prisma computes it. */
export const checksumOf = (sql: string): string => createHash('sha256').update(sql, 'utf8').digest('hex')

/** Prisma accepts a file whose line endings a checkout changed; so do we. */
export const isSameMigration = (sql: string, recorded: string): boolean => {
  const unix = sql.replaceAll('\r\n', '\n')
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === recorded)
}

/**
 * All migrations of a folder, oldest first.
 * @throws Error naming the folder when it is missing, when a sub-folder is not named
 * `YYYYMMDDhhmmss_<name>`, when its migration.sql is missing, or when there is none at all.
 */
export const readMigrationFolder = async (folder: string): Promise<readonly Migration[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  const badName = names.find((name) => !NAME.test(name))
  if (badName !== undefined) {
    throw new Error(`migration folder "${badName}" in ${folder} is not named <YYYYMMDDhhmmss>_<name>`)
  }
  if (names.length === 0) throw new Error(`${folder} holds no migrations`)
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: checksumOf(sql) }
    }),
  )
}
