/** docs/adr/0024-imports-and-exports.md: a worker process that is killed in the middle loses nothing and doubles nothing. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

const KILLS = 2
const ROWS = 10_000
const WAIT_MS = 60_000

let core: TestCore
let worker: ChildProcess | undefined

beforeAll(async () => {
  core = await openCore('jobs_killed')
})
afterEach(() => kill())
afterAll(() => core.close())

const start = (): void => {
  const program = fileURLToPath(new URL('../../support/hold-workers.ts', import.meta.url))
  const url = String(core.pool.options.connectionString)
  worker = spawn(process.execPath, ['--no-warnings', program, url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** As kill -9 does: nothing in it runs any more. */
const kill = async (): Promise<void> => {
  if (worker === undefined) return
  const exited = once(worker, 'exit')
  worker.kill('SIGKILL')
  await exited
  worker = undefined
  // As if ten seconds had passed, after which another worker takes over; killed-workers.long.test.ts waits for them.
  await core.pool.query(
    `UPDATE jobs.job SET heartbeat_on = heartbeat_on - interval '10 seconds' WHERE state = 'active'`,
  )
}

type Table = 'imports' | 'exports'

interface Progress {
  readonly status: string
  readonly processed_count: number
}

const begin = async (table: Table, attributes: Readonly<Record<string, unknown>>): Promise<string> =>
  singleOf(await core.send('POST', `/api/${table}`, core.tokens.admin, { data: { type: table, attributes } }))
    .data.id

const progressOf = async (table: Table): Promise<Progress> => {
  const { rows } = await core.pool.query<Progress>(
    `SELECT status, processed_count FROM ${table} ORDER BY id DESC LIMIT 1`,
  )
  if (rows[0] === undefined) throw new Error(`there are no ${table}`)
  return rows[0]
}

const until = async (table: Table, isReached: (progress: Progress) => boolean): Promise<Progress> => {
  for (const startedAt = Date.now(); Date.now() - startedAt < WAIT_MS; await wait(5)) {
    const progress = await progressOf(table)
    if (isReached(progress)) return progress
  }
  throw new Error(`the ${table} did not get there: ${JSON.stringify(await progressOf(table))}`)
}

/** Kills worker after worker, each after it did something, and lets the last one finish. Gives where each was killed. */
const workWithKills = async (table: Table): Promise<readonly number[]> => {
  const places: number[] = []
  for (let killed = 0; killed < KILLS; killed += 1) {
    const from = (await progressOf(table)).processed_count
    start()
    await until(table, ({ processed_count: now }) => now > from)
    await kill()
    const left = await progressOf(table)
    expect(left.status).toBe('in_progress')
    places.push(left.processed_count)
  }
  start()
  await until(table, ({ status }) => status !== 'in_progress')
  return places
}

const category = encodeId('shipping_categories', 1)

test(
  'an import loses nothing and doubles nothing',
  async () => {
    const inputs = Array.from({ length: ROWS }, (_, at) => ({
      code: `KILL-${at}`,
      name: `Number ${at}`,
      shipping_category_id: category,
    }))
    await begin('imports', { resource_type: 'skus', inputs })
    const places = await workWithKills('imports')
    expect(new Set(places).size).toBe(KILLS)
    expect(Math.max(...places)).toBeLessThan(ROWS)
    expect(await progressOf('imports')).toEqual({ status: 'completed', processed_count: ROWS })
    const { rows } = await core.pool.query(`
    SELECT count(*) AS skus, count(DISTINCT code) AS codes, (
      SELECT count(*) FROM versions WHERE resource_type = 'skus' AND record_id IN (
        SELECT id FROM skus WHERE code LIKE 'KILL-%')) AS versions,
      (SELECT count(*) FROM kept.differences()) AS differences
    FROM skus WHERE code LIKE 'KILL-%'`)
    expect(rows).toEqual([{ skus: ROWS, codes: ROWS, versions: ROWS, differences: 0 }])
  },
  WAIT_MS,
)

test(
  'an export has no gap and no repetition',
  async () => {
    await core.pool.query(`
    INSERT INTO tags (environment_id, name) SELECT 1, 'tag-' || n FROM generate_series(1, ${ROWS}) AS n`)
    await begin('exports', { resource_type: 'tags' })
    const places = await workWithKills('exports')
    expect(new Set(places).size).toBe(KILLS)
    expect(await progressOf('exports')).toEqual({ status: 'completed', processed_count: ROWS })
    const { rows } = await core.pool.query<{ content: Buffer }>(
      'SELECT content FROM export_parts ORDER BY position',
    )
    const text = gunzipSync(Buffer.concat(rows.map(({ content }) => content))).toString()
    const names = (JSON.parse(text) as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(Array.from({ length: ROWS }, (_, at) => `tag-${at + 1}`))
  },
  WAIT_MS,
)
