/** Creates the database a URL names, through the server's own `postgres` database. */
import { Client, DatabaseError, escapeIdentifier } from 'pg'

/** SQLSTATE codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'

/** The database name in a PostgreSQL URL. @throws Error when the URL has none. */
export const databaseNameOf = (url: string): string => {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  if (name === '')
    throw new Error('the database URL names no database; expected postgresql://host:port/<database>')
  return name
}

/** The same server and credentials, another database. */
export const withDatabase = (url: string, name: string): string => {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.href
}

/**
 * Creates the database of `url` unless it is there already; two callers at once both succeed.
 * @returns true when this call created it.
 */
export const createDatabaseIfMissing = async (url: string): Promise<boolean> => {
  const name = databaseNameOf(url)
  const client = new Client({
    connectionString: withDatabase(url, 'postgres'),
    connectionTimeoutMillis: 10_000,
  })
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (found.rows.length > 0) return false
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`)
    return true
  } catch (error) {
    const lostRace =
      error instanceof DatabaseError && [DUPLICATE_DATABASE, UNIQUE_VIOLATION].includes(error.code ?? '')
    if (lostRace) return false
    throw error
  } finally {
    await client.end()
  }
}
