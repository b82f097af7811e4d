import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freshDatabase } from '../../src/fresh-database.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'merx-migrations-'))
  await mkdir(join(folder, '20260101000000_first'))
  const sql = `CREATE TABLE runs (at timestamptz); INSERT INTO runs VALUES (now()); -- ${folder}`
  await writeFile(join(folder, '20260101000000_first', 'migration.sql'), sql)
})
afterAll(() => rm(folder, { recursive: true }))

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as unknown[]
  } finally {
    await client.end()
  }
}

describe('fresh database', () => {
  it('copies one migrated template, also when several are asked for at once', async () => {
    const databases = await Promise.all(
      [1, 2, 3].map(() => freshDatabase({ name: 'copies', migrations: folder })),
    )
    const runs = await Promise.all(databases.map(({ url }) => query(url, 'SELECT at FROM runs')))
    expect(runs[0]).toHaveLength(1)
    expect(runs[1]).toEqual(runs[0]) // the same instant: the migration ran once
    expect(runs[2]).toEqual(runs[0])
    await Promise.all(databases.map((database) => database.drop()))
  })

  it('keeps databases apart', async () => {
    const [one, other] = [
      await freshDatabase({ name: 'apart', migrations: folder }),
      await freshDatabase({ name: 'apart', migrations: folder }),
    ]
    await query(one.url, 'DELETE FROM runs')
    expect(await query(other.url, 'SELECT 1 FROM runs')).toHaveLength(1)
    await Promise.all([one.drop(), other.drop()])
  })

  it('is gone after drop, even with connections open', async () => {
    const database = await freshDatabase({ name: 'gone' })
    const client = new Client({ connectionString: database.url })
    const cut = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    await database.drop()
    await cut
    await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist')
    await client.end()
  })

  it('refuses a name that is no identifier', async () => {
    await expect(freshDatabase({ name: 'Orders; DROP' })).rejects.toThrow('is no name for a test database')
  })

  it('says what to do when there is no server', async () => {
    const url = process.env['MERX_TEST_POSTGRES_URL']
    delete process.env['MERX_TEST_POSTGRES_URL']
    try {
      await expect(freshDatabase({ name: 'none' })).rejects.toThrow(
        'run this file in the http or db Jest project',
      )
    } finally {
      process.env['MERX_TEST_POSTGRES_URL'] = url
    }
  })
})
