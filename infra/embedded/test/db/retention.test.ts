/** docs/reference/retention.md lists every table of the three services, with what bounds it, and the settings as they are. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrationsFolder as authMigrations } from '@merx/auth/migrate'
import { coreConfigSchema } from '@merx/core/config'
import { migrationsFolder as coreMigrations } from '@merx/core/migrate'
import { openEngine } from '@merx/metrics/engine/clickhouse-engine'
import { createStoreTables } from '@merx/metrics/store/tables'
import { createPool } from '@merx/postgres/pool'
import { freshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'

const PAGE = path.resolve(import.meta.dirname, '..', '..', '..', '..', 'docs', 'reference', 'retention.md')

/** Section → first and last cell of each row of its table. */
const readPage = async (): Promise<ReadonlyMap<string, readonly (readonly [string, string])[]>> => {
  const sections = (await readFile(PAGE, 'utf8')).split(/^## /m).slice(1)
  return new Map(
    sections.map((section) => {
      const [title = ''] = section.split('\n', 1)
      const rows = [...section.matchAll(/^\| (`.*) \| (\S.*) \|$/gm)]
      return [
        title,
        rows.flatMap(([, names = '', bound = '']) =>
          [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, bound] as const),
        ),
      ]
    }),
  )
}

const tablesOf = async (name: string, migrations: string): Promise<readonly string[]> => {
  const database = await freshDatabase({ name, migrations })
  const pool = createPool({
    url: database.url,
    maxConnections: 1,
    statementTimeoutMs: 10_000,
    applicationName: 'retention',
  })
  const { rows } = await pool.query<{ name: string }>(
    `SELECT CASE nspname WHEN 'public' THEN relname ELSE nspname || '.' || relname END AS name
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname !~ '^pg_' AND nspname <> 'information_schema'
     ORDER BY name`,
  )
  await pool.end()
  await database.drop()
  return rows.map(({ name: table }) => table)
}

const tablesOfMetrics = async (): Promise<readonly string[]> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'merx-retention-'))
  const engine = openEngine({ path: folder })
  try {
    const tables = createStoreTables({ engine, layout: { kind: 'single' }, log: silentLogger })
    await tables.open()
    await tables.build(1)
    await tables.swap(1)
    const budget = { timeoutMs: 30_000, memoryBytesMax: 500_000_000, groupsMax: 1_000, rowsMax: 1_000 }
    const text = 'SELECT name FROM system.tables WHERE database = currentDatabase()'
    return (await engine.run({ text, params: {} }, budget)).map(({ name }) => String(name))
  } finally {
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  }
}

test.each([
  ['Core', () => tablesOf('retention_core', coreMigrations)],
  ['Auth', () => tablesOf('retention_auth', authMigrations)],
  ['Metrics', tablesOfMetrics],
])('%s: each table is on the page once', async (title, read) => {
  const listed = ((await readPage()).get(title) ?? []).map(([name]) => name)
  expect(listed.toSorted()).toEqual([...(await read())].toSorted())
})

test('each setting of days is on the page with its default', async () => {
  const settings = Object.entries(coreConfigSchema)
    .filter(([name]) => name.endsWith('_DAYS'))
    .map(([name, field]) => [name, field.defaultText] as const)
  const page = await readFile(PAGE, 'utf8')
  const listed = [...page.matchAll(/^\| `(\w+_DAYS)` \| (\d+) \|/gm)].map(([, name, value]) => [name, value])
  expect(settings.length).toBeGreaterThan(0)
  expect(listed.toSorted()).toEqual(settings.toSorted())
})
