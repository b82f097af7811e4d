import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checksumOf, isSameMigration, readMigrationFolder } from './migration-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merx-migrations-'))
})
afterEach(() => rm(folder, { recursive: true }))

const add = async (name: string, sql?: string): Promise<void> => {
  await mkdir(join(folder, name))
  if (sql !== undefined) await writeFile(join(folder, name, 'migration.sql'), sql)
}

describe('migration folder', () => {
  it('gives migrations oldest first, each with its SHA-256', async () => {
    await add('20260102000000_second', 'SELECT 2')
    await add('20260101000000_first', 'SELECT 1')
    await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"')
    const migrations = await readMigrationFolder(folder)
    expect(migrations.map(({ name }) => name)).toEqual(['20260101000000_first', '20260102000000_second'])
    // printf 'SELECT 1' | sha256sum
    expect(migrations[0]?.checksum).toBe('e004ebd5b5532a4b85984a62f8ad48a81aa3460c1ca07701f386135d72cdecf5')
  })

  it('refuses a sub-folder that is not named like a migration', async () => {
    await add('add_orders', 'SELECT 1')
    await expect(readMigrationFolder(folder)).rejects.toThrow('"add_orders"')
  })

  it('refuses a migration without migration.sql', async () => {
    await add('20260101000000_first')
    await expect(readMigrationFolder(folder)).rejects.toThrow('20260101000000_first/migration.sql')
  })

  it('refuses an empty folder', async () => {
    await expect(readMigrationFolder(folder)).rejects.toThrow('holds no migrations')
  })

  it('takes a file as unchanged when only its line endings differ', () => {
    const unix = checksumOf('SELECT 1;\nSELECT 2;\n')
    const windows = checksumOf('SELECT 1;\r\nSELECT 2;\r\n')
    expect(isSameMigration('SELECT 1;\r\nSELECT 2;\r\n', unix)).toBe(true)
    expect(isSameMigration('SELECT 1;\nSELECT 2;\n', windows)).toBe(true)
    expect(isSameMigration('SELECT 1;\nSELECT 3;\n', unix)).toBe(false)
  })
})
