/**
 * Every row of a database, compared across an upgrade: each table is copied into a schema of its own before, and afterwards each copy
 * is looked up by its key. Rows, columns and tables that were added count as nothing.
 */
import { Client } from 'pg'

const COPIES = 'before_upgrade'
const KEYS_SHOWN = 3

interface ColumnRow {
  readonly table_name: string
  readonly column_name: string
  readonly is_key: boolean
}

const columnsOf = (schema: string): string => `
  SELECT c.relname AS table_name, a.attname AS column_name,
    coalesce(a.attnum = ANY (i.indkey), false) AS is_key
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_index i ON i.indrelid = to_regclass(format('public.%I', c.relname)) AND i.indisprimary
  WHERE c.relnamespace = '${schema}'::regnamespace AND c.relkind IN ('r', 'v')
  ORDER BY 1, 2`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const connected = async <T>(url: string, act: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** No service may be writing. */
export const copyRows = async (url: string): Promise<void> =>
  connected(url, async (client) => {
    await client.query(`CREATE SCHEMA ${COPIES}`)
    const { rows } = await client.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
    )
    for (const { tablename: table } of rows) {
      await client.query(`CREATE UNLOGGED TABLE ${COPIES}.${quoted(table)} AS TABLE public.${quoted(table)}`)
    }
  })

const readColumns = async (
  client: Client,
  schema: string,
): Promise<ReadonlyMap<string, readonly ColumnRow[]>> =>
  Map.groupBy((await client.query<ColumnRow>(columnsOf(schema))).rows, ({ table_name: name }) => name)

const compareTable = async (
  client: Client,
  table: string,
  columns: readonly string[],
  key: readonly string[],
): Promise<readonly string[]> => {
  const on = key.map((name) => `after.${quoted(name)} = before.${quoted(name)}`).join(' AND ')
  const id = `concat_ws(':', ${key.map((name) => `before.${quoted(name)}`).join(', ')})`
  const isMissing = `after.${quoted(key[0] ?? '')} IS NULL`
  const tests = [
    { what: 'missing', condition: isMissing },
    ...columns.map((name) => ({
      what: `another ${name}`,
      condition: `NOT ${isMissing} AND before.${quoted(name)}::text IS DISTINCT FROM after.${quoted(name)}::text`,
    })),
  ]
  const counts = tests.map(
    ({ condition }, index) =>
      `count(*) FILTER (WHERE ${condition})::int AS n${index}, (array_agg(${id}) FILTER (WHERE ${condition}))[1:${KEYS_SHOWN}] AS k${index}`,
  )
  const { rows } = await client.query<Record<string, number | readonly string[] | null>>(
    `SELECT count(*)::int AS rows, ${counts.join(', ')} FROM ${COPIES}.${quoted(table)} AS before
     LEFT JOIN public.${quoted(table)} AS after ON ${on}`,
  )
  const [row = {}] = rows
  return tests.flatMap(({ what }, index) =>
    row[`n${index}`] === 0
      ? []
      : [
          `${table}: ${String(row[`n${index}`])} of ${String(row['rows'])} rows are ${what}: ${String(row[`k${index}`])}`,
        ],
  )
}

/** @returns a sentence for each table and column that is not as it was. */
export const compareRows = async (url: string): Promise<readonly string[]> =>
  connected(url, async (client) => {
    const [before, after] = [await readColumns(client, COPIES), await readColumns(client, 'public')]
    const wrong: string[] = []
    for (const [table, columns] of before) {
      const there = new Set(after.get(table)?.map(({ column_name: name }) => name))
      const names = columns.map(({ column_name: name }) => name)
      const gone = names.filter((name) => !there.has(name))
      if (gone.length > 0) wrong.push(`${table} has no ${gone.join(', ')} any more`)
      const keyed = columns.filter(({ is_key: isKey }) => isKey).map(({ column_name: name }) => name)
      const key =
        keyed.length > 0 ? keyed : names.filter((name) => name === 'environment_id' || name === 'id')
      const kept = names.filter((name) => there.has(name))
      if (kept.length === 0 || key.length === 0 || !key.every((name) => there.has(name))) continue
      wrong.push(...(await compareTable(client, table, kept, key)))
    }
    return wrong
  })
