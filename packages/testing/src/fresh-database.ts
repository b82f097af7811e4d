/** A migrated database of one's own for a test file, copied from a template in tens of milliseconds. */
import { createHash, randomBytes } from 'node:crypto'
import { createDatabaseIfMissing, withDatabase } from '@merx/postgres/create-database'
import { migrate } from '@merx/postgres/migrate'
import { readMigrationFolder } from '@merx/postgres/migration-folder'
import { Client, escapeIdentifier } from 'pg'
import { silentLogger } from './silent-logger.ts'

/** A database of one test file. */
export interface FreshDatabase {
  readonly url: string
  /** Removes the database, cutting connections that are still open. */
  drop(): Promise<void>
}

/** Its name, and what is in it. */
export interface FreshDatabaseOptions {
  /** Shown in the database's name, lower-case letters, digits and _, to tell databases apart. */
  readonly name: string
  /** Migration folder; absent gives an empty database. */
  readonly migrations?: string
}

/** One lock for all template building, so that workers do not build the same template twice. */
const TEMPLATE_LOCK = 5_061_966

/**
 * Creates a database for one test file. The migrations run once per content of the folder; each call copies the
 * result.
 * @throws Error when there is no PostgreSQL (the file runs outside the http and db Jest projects).
 * @example const database = await freshDatabase({ name: 'clients', migrations }); afterAll(() => database.drop())
 */
export const freshDatabase = async (options: FreshDatabaseOptions): Promise<FreshDatabase> => {
  const server = process.env['MERX_TEST_POSTGRES_URL']
  if (server === undefined) {
    throw new Error(
      'no PostgreSQL for tests: MERX_TEST_POSTGRES_URL is unset; run this file in the http or db Jest project',
    )
  }
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(options.name)) {
    throw new Error(`"${options.name}" is no name for a test database; use up to 31 of a-z, 0-9 and _`)
  }
  const name = `merx_test_${options.name}_${randomBytes(5).toString('hex')}`
  await withClient(server, async (client) => {
    const template =
      options.migrations === undefined ? 'template0' : await findTemplate(client, server, options.migrations)
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)}`)
  })
  const drop = (): Promise<void> =>
    withClient(server, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`)
    })
  return { url: withDatabase(server, name), drop }
}

const findTemplate = async (client: Client, server: string, folder: string): Promise<string> => {
  const hash = createHash('sha256')
  for (const { name, checksum } of await readMigrationFolder(folder)) hash.update(`${name} ${checksum}\n`)
  const template = `merx_template_${hash.digest('hex').slice(0, 24)}`
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [
      template,
    ])
    if (found.rows.length === 0) await buildTemplate(client, server, folder, template)
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
  return template
}

const buildTemplate = async (
  client: Client,
  server: string,
  folder: string,
  template: string,
): Promise<void> => {
  const quoted = escapeIdentifier(template)
  await client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`) // one whose building was interrupted
  const url = withDatabase(server, template)
  await createDatabaseIfMissing(url)
  await migrate({ url, folder, log: silentLogger })
  // Marked last, so that a half-built one is never copied; nobody connects, so copying is never refused.
  await client.query(`ALTER DATABASE ${quoted} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`)
}

const withClient = async (url: string, act: (client: Client) => Promise<void>): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}
