/** What a job may rely on: it exists with its transaction, is repeated by its own schedule, and fails visibly. */
import { eventually } from '@merx/testing/eventually'
import { freshDatabase } from '@merx/testing/fresh-database'
import type { FreshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { runIn } from '../../../src/engine/database/run-statement.ts'
import { defineJob } from '../../../src/jobs/define-job.ts'
import type { JobDefinition } from '../../../src/jobs/define-job.ts'
import type { JobQueue } from '../../../src/jobs/job-queue.ts'
import { openBoss } from '../../../src/jobs/open-boss.ts'
import { migrationsFolder } from '../../../src/migrate.ts'
import { CREATE_RUNS, countRuns, openQueue } from '../../support/count-runs.ts'

let fresh: FreshDatabase
let database: Database
const queues: JobQueue[] = []

beforeAll(async () => {
  fresh = await freshDatabase({ name: 'job_queue', migrations: migrationsFolder })
  database = openDatabase({ url: fresh.url, maxConnections: 6, log: silentLogger })
  await database.query(CREATE_RUNS)
})
beforeEach(() => database.query('TRUNCATE runs'))
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.close()
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const open = (...jobs: readonly JobDefinition[]): JobQueue => {
  const queue = openQueue(jobs, database, silentLogger)
  queues.push(queue)
  return queue
}

const enqueue = <Payload extends object>(
  queue: JobQueue,
  job: JobDefinition<Payload>,
  ...payloads: readonly Payload[]
): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const payload of payloads) await queue.enqueue(job, payload, runIn(transaction))
  })

const numbers = async (): Promise<readonly number[]> =>
  (await database.query<{ number: number }>('SELECT number FROM runs ORDER BY number')).map(
    ({ number }) => number,
  )

interface StoredJob {
  readonly state: string
  readonly retry_count: number
  readonly wait: number
  readonly output: unknown
}

const stored = ({ name }: { readonly name: string }): Promise<readonly StoredJob[]> =>
  database.query<StoredJob & Record<string, unknown>>(
    `SELECT state::text, retry_count, round(extract(epoch FROM start_after - now()))::int AS wait, output
     FROM jobs.job WHERE name = $1 ORDER BY created_on`,
    [name],
  )

/** As if the time of the next attempt had come. */
const makeDue = ({ name }: { readonly name: string }) =>
  database.query(`UPDATE jobs.job SET start_after = now() WHERE name = $1 AND state = 'retry'`, [name])

const failing = (name: string, more: Partial<JobDefinition<{ readonly number: number }>> = {}) =>
  defineJob<{ readonly number: number }>({
    name,
    retryDelaysSeconds: [0, 5, 300],
    run: async ({ number }, { run }) => {
      await run({ text: 'INSERT INTO runs (number) VALUES ($1)', values: [number] })
      throw new Error('no luck')
    },
    ...more,
  })

test('the migrations leave the schema that this version of the library expects', async () => {
  const boss = openBoss(database, silentLogger)
  await boss.start()
  expect(await boss.detectSchemaDrift()).toMatchObject({ ok: true })
  await boss.stop()
})

test('a job exists if and only if the transaction of its change commits', async () => {
  const queue = open(countRuns)
  await enqueue(queue, countRuns, { number: 1 })
  const rolledBack = database.transaction(async (transaction) => {
    await queue.enqueue(countRuns, { number: 2 }, runIn(transaction))
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  await queue.runUntilIdle()
  expect(await numbers()).toEqual([1])
  expect(await stored(countRuns)).toEqual([])
})

test('a failed attempt leaves nothing behind, and the next one waits as the job says', async () => {
  const job = failing('fail.later')
  const queue = open(job)
  await enqueue(queue, job, { number: 1 })
  await queue.runUntilIdle() // the first retry is due at once, so two attempts
  expect(await numbers()).toEqual([])
  expect(await stored(job)).toMatchObject([{ state: 'retry', retry_count: 1, wait: 5 }])
  await makeDue(job)
  await queue.runUntilIdle()
  expect(await stored(job)).toMatchObject([{ state: 'retry', retry_count: 2, wait: 300 }])
  await makeDue(job)
  await queue.runUntilIdle()
  expect(await stored(job)).toMatchObject([
    { state: 'failed', retry_count: 3, output: { name: 'Error', message: 'no luck' } },
  ])
})

test('onFailed runs once after the last attempt', async () => {
  const job = failing('fail.visibly', {
    retryDelaysSeconds: [],
    onFailed: async ({ number }, { run }) => {
      await run({ text: 'INSERT INTO runs (number) VALUES ($1)', values: [-number] })
    },
  })
  const queue = open(job)
  await enqueue(queue, job, { number: 7 })
  await queue.runUntilIdle()
  expect(await numbers()).toEqual([-7])
  expect(await stored(job)).toMatchObject([{ state: 'failed' }])
})

test('a job that always fails does not keep others waiting', async () => {
  const job = failing('fail.first')
  const queue = open(job, countRuns)
  await enqueue(queue, job, { number: 1 }, { number: 2 }, { number: 3 })
  await enqueue(queue, countRuns, { number: 4 }, { number: 5 })
  queue.start()
  await eventually(async () => (await numbers()).length === 2)
  expect(await numbers()).toEqual([4, 5])
})

/** Less than the time after which workers look without having been woken. */
const BEFORE_WORKERS_LOOK_MS = 40_000

test('a job that another process enqueued is found', async () => {
  const [here, elsewhere] = [open(countRuns), open(countRuns)]
  await enqueue(here, countRuns, { number: 1 })
  here.start()
  await eventually(async () => (await numbers()).length === 1)
  await enqueue(elsewhere, countRuns, { number: 2 })
  await eventually(async () => (await numbers()).length === 2, BEFORE_WORKERS_LOOK_MS)
  expect(await numbers()).toEqual([1, 2])
})

test('while nothing is due, one statement asks for all queues and none of them is fetched from', async () => {
  const statements: string[] = []
  const pool = new Proxy(database.pool, {
    get: (target, name) =>
      name === 'query'
        ? (text: string, values: unknown[]) => {
            statements.push(text)
            return target.query(text, values)
          }
        : (Reflect.get(target, name) as unknown),
  })
  const jobs = [1, 2, 3].map((number) => defineJob({ ...countRuns, name: `count.idle-${number}` }))
  const workers = 2
  const queue = openQueue(jobs, { ...database, pool }, silentLogger, workers)
  queues.push(queue)
  queue.start()
  const looks = (): number => statements.filter((text) => text.includes('SELECT FROM jobs.job')).length
  const fetches = (): number =>
    statements.filter((text) => text.includes("j.name = 'count.idle-") && text.includes('SKIP LOCKED')).length
  await eventually(() => looks() >= 3, BEFORE_WORKERS_LOOK_MS)
  expect(fetches()).toBe(jobs.length * workers) // when they began
})

test('a job with a key waits or runs at most once for each key', async () => {
  const job = defineJob<{ readonly number: number }>({
    ...countRuns,
    name: 'count.keys',
    key: ({ number }) => String(number),
  })
  const queue = open(job)
  await enqueue(queue, job, { number: 1 }, { number: 1 }, { number: 2 })
  await queue.runUntilIdle()
  expect(await numbers()).toEqual([1, 2])
  await enqueue(queue, job, { number: 1 })
  await queue.runUntilIdle()
  expect(await numbers()).toEqual([1, 1, 2])
})

test('a job that has more to do is enqueued again, also with a key', async () => {
  const job = defineJob<{ readonly key: string }>({
    name: 'count.steps',
    retryDelaysSeconds: [],
    key: ({ key }) => key,
    run: async (_payload, { run }) => {
      const [row] = await run({
        text: 'INSERT INTO runs (number) SELECT count(*) FROM runs RETURNING number',
        values: [],
      })
      return row?.['number'] === 2 ? 'done' : 'again'
    },
  })
  const queue = open(job)
  await enqueue(queue, job, { key: 'only' })
  await queue.runUntilIdle()
  expect(await numbers()).toEqual([0, 1, 2])
})

test('a worker that lost its job to another one commits nothing', async () => {
  const job = defineJob<{ readonly number: number }>({
    ...countRuns,
    name: 'count.lost',
    run: async (payload, context) => {
      // As the supervisor does when the heartbeat is too old.
      await database.query(`UPDATE jobs.job SET state = 'retry', start_after = now() + interval '1 hour'
        WHERE name = 'count.lost'`)
      return countRuns.run(payload, context)
    },
  })
  const queue = open(job)
  await enqueue(queue, job, { number: 1 })
  await queue.runUntilIdle()
  expect(await numbers()).toEqual([])
  expect(await stored(job)).toMatchObject([{ state: 'retry' }])
})

test('closing waits for the attempt that runs', async () => {
  const { promise: isRunning, resolve: begin } = Promise.withResolvers<undefined>()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<undefined>()
  const job = defineJob<{ readonly number: number }>({
    ...countRuns,
    name: 'count.slowly',
    run: async (payload, context) => {
      begin(undefined)
      await mayEnd
      return countRuns.run(payload, context)
    },
  })
  const queue = open(job)
  await enqueue(queue, job, { number: 1 }, { number: 2 })
  queue.start()
  await isRunning
  const closed = queue.close()
  end(undefined)
  await closed
  const done = await numbers()
  expect(done.length).toBeGreaterThan(0)
  expect(await stored(job)).toHaveLength(2 - done.length)
  expect((await stored(job)).filter(({ state }) => state === 'active')).toEqual([])
})

test('a job with cron has one schedule, which goes when the job has none any more', async () => {
  const job = defineJob({
    name: 'count.nightly',
    retryDelaysSeconds: [],
    cron: '0 3 * * *',
    run: async () => 'done',
  })
  const schedules = () => database.query('SELECT name, cron, timezone FROM jobs.schedule')
  await open(job).runUntilIdle()
  await open(job).runUntilIdle()
  expect(await schedules()).toEqual([{ name: 'count.nightly', cron: '0 3 * * *', timezone: 'UTC' }])
  await open(countRuns).runUntilIdle()
  expect(await schedules()).toEqual([])
})
