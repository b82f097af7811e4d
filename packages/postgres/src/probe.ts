import { Client } from 'pg'

/** Where a database is, for people: `PostgreSQL at db:5432`. Never the password. */
export const placeOfDatabase = (url: string): string => {
  const { host } = new URL(url)
  return `PostgreSQL at ${host}`
}

const CONNECT_MS = 3_000

/** Resolves when the database lets this user in and answers. @throws what pg says */
export const probeDatabase = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => undefined) // of a connection that is given up anyway
  try {
    await client.connect()
    await client.query('SELECT 1')
  } finally {
    await client.end().catch(() => undefined)
  }
}
