/** SQL against a test's database, past the service. */
import { Client } from 'pg'

export const runSql = async <T extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}
