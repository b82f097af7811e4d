/** Our migrator and Prisma's own engine take over from each other, on the folders of auth and core (docs/adr/0004). */
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freshDatabase, type FreshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'
import { Client } from 'pg'
import { migrate } from '../../src/migrate.ts'
import { openPrismaMigrate, type PrismaMigrate } from './support/prisma-engine.ts'

const SERVICES = path.resolve(import.meta.dirname, '..', '..', '..', '..', 'services')
const FOLDERS = [
  { service: 'auth', folder: path.join(SERVICES, 'auth/prisma/migrations') },
  { service: 'core', folder: path.join(SERVICES, 'core/migrations') },
] as const

const migrationsOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{14}_/.test(name)).toSorted()

/** Tables with their columns, without those of the bookkeeping. */
const shapeOf = async (url: string): Promise<unknown> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<object>(
      `SELECT table_schema, table_name, column_name, data_type, is_nullable, column_default
         FROM information_schema.columns
        WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_name <> '_prisma_migrations'
        ORDER BY 1, 2, 3`,
    )
    return rows
  } finally {
    await client.end()
  }
}

describe.each(FOLDERS)('the migrations of $service', ({ service, folder }) => {
  const opened: { readonly database: FreshDatabase; readonly prisma: PrismaMigrate }[] = []

  const open = async (name: string, ofFolder: string = folder) => {
    const database = await freshDatabase({ name: `${service}_${name}` })
    const prisma = await openPrismaMigrate(database.url, ofFolder)
    opened.push({ database, prisma })
    return { url: database.url, prisma }
  }

  afterEach(async () => {
    for (const { database, prisma } of opened.splice(0)) {
      await prisma.close()
      await database.drop()
    }
  })

  it('applied by us leave nothing for `prisma migrate deploy`, and `status` finds no difference', async () => {
    const { url, prisma } = await open('ours')
    expect(await migrate({ url, folder, log: silentLogger })).toEqual(await migrationsOf(folder))
    expect(await prisma.status()).toMatchObject({ edited: [], failed: [], hasTable: true })
    expect(await prisma.deploy()).toEqual([])
  })

  it('applied by `prisma migrate deploy` leave nothing for us, and the same tables', async () => {
    const { url, prisma } = await open('theirs')
    expect(await prisma.deploy()).toEqual(await migrationsOf(folder))
    await prisma.close()
    expect(await migrate({ url, folder, log: silentLogger })).toEqual([])
    const ours = await open('compared')
    await migrate({ url: ours.url, folder, log: silentLogger })
    expect(await shapeOf(url)).toEqual(await shapeOf(ours.url))
  })

  it('begun by us are finished by `prisma migrate deploy`, and one that was changed is seen', async () => {
    const copy = await mkdtemp(path.join(tmpdir(), 'merx-prisma-'))
    try {
      const [first = '', ...rest] = await migrationsOf(folder)
      await cp(path.join(folder, first), path.join(copy, first), { recursive: true })
      const { url, prisma } = await open('begun', folder)
      expect(await migrate({ url, folder: copy, log: silentLogger })).toEqual([first])
      expect(await prisma.deploy()).toEqual(rest)

      await writeFile(path.join(copy, first, 'migration.sql'), 'SELECT 1')
      const changed = await openPrismaMigrate(url, copy)
      expect((await changed.status()).edited).toEqual([first])
      await changed.close()
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  })
})
