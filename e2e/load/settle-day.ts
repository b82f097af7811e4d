/** What a day leaves behind in the database of core: what still waits, what tables grew by, and rows that nobody needs any more. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '@merx/load/bench'
import { Client } from 'pg'

/** How long after the last request everything may still be under way. */
const SETTLE_MS = 180_000
const LOOK_MS = 1_000

const WAITING = `SELECT
  (SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL)::integer AS deliveries,
  (SELECT count(*) FROM jobs.job WHERE state IN ('created', 'retry', 'active') AND start_after <= now())::integer AS jobs,
  (SELECT count(*) FROM imports WHERE status NOT IN ('completed', 'interrupted'))::integer AS imports`

interface Waiting {
  readonly deliveries: number
  readonly jobs: number
  readonly imports: number
}

const TABLES = `SELECT schemaname || '.' || relname AS name, n_live_tup::integer AS rows, n_dead_tup::integer AS dead,
    pg_total_relation_size(relid)::float8 AS bytes
  FROM pg_stat_user_tables`

interface TableState {
  readonly name: string
  readonly rows: number
  readonly dead: number
  readonly bytes: number
}

/** What is read for its end to come, so that it must not grow with the day. */
const PASSING = [
  'public.webhook_deliveries',
  'public.idempotency_claims',
  'public.order_refreshes',
  'kept.changes',
  'kept.catalogue_changes',
  'jobs.job',
]
const PASSING_ROWS_MAX = 2_000
/** Dead rows of a table that is worth cleaning: autovacuum begins at a fifth. */
const DEAD_SHARE_MAX = 0.5
const WORTH_CLEANING = 10_000
const LARGEST = 8
const MEGABYTE = 1_048_576

const readTables = async (client: Client): Promise<readonly TableState[]> => {
  // What is counted is written down by the backends at their leisure.
  await client.query('SELECT pg_stat_clear_snapshot()')
  return (await client.query<TableState>(TABLES)).rows
}

const countPlaced = async (client: Client): Promise<number> => {
  const text = `SELECT count(*)::integer AS placed FROM events WHERE name = 'orders.place'`
  return (await client.query<{ placed: number }>(text)).rows[0]?.placed ?? 0
}

const untilSettled = async (client: Client): Promise<{ waiting: Waiting; seconds: number }> => {
  const begun = performance.now()
  for (;;) {
    const { rows } = await client.query<Waiting>(WAITING)
    const [waiting] = rows
    if (waiting === undefined) throw new Error('the database says nothing')
    const took = performance.now() - begun
    const isSettled = waiting.deliveries + waiting.jobs + waiting.imports === 0
    if (isSettled || took > SETTLE_MS) return { waiting, seconds: took / 1_000 }
    await wait(LOOK_MS)
  }
}

const growthOf = (before: readonly TableState[], after: readonly TableState[], orders: number): string => {
  const known = new Map(before.map((table) => [table.name, table.bytes]))
  const grown = after
    .map(({ name, bytes }) => ({ name, bytes: bytes - (known.get(name) ?? 0) }))
    .toSorted((a, b) => b.bytes - a.bytes)
  const all = grown.reduce((sum, { bytes }) => sum + bytes, 0)
  const largest = grown
    .slice(0, LARGEST)
    .map(({ name, bytes }) => `${name.replace('public.', '')} ${(bytes / MEGABYTE).toFixed(0)}`)
  return `${(all / MEGABYTE).toFixed(0)} MB, ${(all / 1_024 / Math.max(1, orders)).toFixed(1)} kB for each order; MB of the largest: ${largest.join(', ')}`
}

export interface Settling {
  /** `told` says how many events the receiver of webhooks got. */
  readonly settle: (told: () => number) => Promise<readonly Check[]>
  readonly close: () => Promise<void>
}

/** Remembers the tables and what was placed, as they are before the day. */
export const openSettling = async (databaseUrl: string): Promise<Settling> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const before = await readTables(client)
  const placedBefore = await countPlaced(client)
  return {
    close: () => client.end(),
    settle: async (told) => {
      const { waiting, seconds } = await untilSettled(client)
      const placed = (await countPlaced(client)) - placedBefore
      await client.query('SELECT pg_stat_force_next_flush()')
      const after = await readTables(client)
      const passing = after.filter(({ name }) => PASSING.includes(name))
      const dead = after.filter(({ rows, dead: gone }) => rows + gone > WORTH_CLEANING)
      const worst = dead.toSorted((a, b) => b.dead / b.rows - a.dead / a.rows)[0]
      const shareOf = (table: TableState): number => table.dead / Math.max(1, table.rows)
      return [
        {
          name: `nothing waits ${SETTLE_MS / 1_000} s after the last request: webhooks, jobs, imports`,
          found: `${waiting.deliveries}, ${waiting.jobs}, ${waiting.imports} after ${seconds.toFixed(0)} s`,
          isMet: waiting.deliveries + waiting.jobs + waiting.imports === 0,
        },
        {
          name: 'each order that was placed was told of',
          found: `${told()} of ${placed}`,
          isMet: told() === placed,
        },
        {
          name: `tables of what passes have at most ${PASSING_ROWS_MAX} rows`,
          found: passing.map(({ name, rows }) => `${name.replace('public.', '')} ${rows}`).join(', '),
          isMet: passing.every(({ rows }) => rows <= PASSING_ROWS_MAX),
        },
        {
          name: `dead rows at most ${DEAD_SHARE_MAX} of the live ones, in tables of ${WORTH_CLEANING} rows and more`,
          found: worst === undefined ? 'none' : `${worst.name} ${shareOf(worst).toFixed(2)}`,
          isMet: dead.every((table) => shareOf(table) <= DEAD_SHARE_MAX),
        },
        {
          name: 'what grew is what was sold',
          found: growthOf(before, after, placed),
          isMet: true,
        },
      ]
    },
  }
}
