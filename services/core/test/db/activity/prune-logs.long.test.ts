/** docs/reference/retention.md: what is past its days goes, in batches; what is young or still to be delivered stays. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually } from '@merx/testing/eventually'
import { silentLogger } from '@merx/testing/silent-logger'
import { pruneLogs } from '../../../src/activity/prune-logs.ts'
import type { Retention } from '../../../src/activity/prune-logs.ts'
import { runIn } from '../../../src/engine/database/run-statement.ts'
import type { JobDefinition } from '../../../src/jobs/define-job.ts'
import { pruneIdempotencyKeys } from '../../../src/jobs/prune-idempotency-keys.ts'
import { openQueue } from '../../support/count-runs.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'

const DAYS: Retention = {
  eventDays: 90,
  eventCallbackDays: 30,
  webhookDeliveryDays: 20,
  versionDays: 0,
  bulkJobDays: 60,
}
const ENVIRONMENTS = 12

let core: CoreDatabase
beforeAll(async () => {
  core = await openCoreDatabase('prune_logs')
  await query(
    `INSERT INTO environments (id, organization_id, mode, slug, name)
     SELECT n, 'enWoxFMO' || lpad(n::text, 2, '0'), 'test', 'shop', 'Shop' FROM generate_series(1, ${ENVIRONMENTS}) AS n`,
  )
  await query(
    `INSERT INTO webhooks (environment_id, id, topic, callback_url) SELECT id, id, 'orders.place', 'http://127.0.0.1/hook'
     FROM environments`,
  )
})
afterAll(() => core.drop())
beforeEach(async () => {
  await query(
    'TRUNCATE events, event_callbacks, webhook_deliveries, versions, imports, exports, export_parts, idempotency_keys, jobs.job',
  )
  await query(
    `UPDATE webhook_cursor SET transaction_id = pg_current_xact_id()::text::bigint, event_id = ${Number.MAX_SAFE_INTEGER}`,
  )
})

const query = (text: string, values: readonly unknown[] = []) =>
  core.database.query<{ id: number }>(text, values)
const numbers = async (table: string): Promise<readonly number[]> =>
  (await query(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id)

/** A row of the first environment. */
const insert = (table: string, id: number, values: Readonly<Record<string, string>>) =>
  query(
    `INSERT INTO ${table} (environment_id, id, ${Object.keys(values).join(', ')}) VALUES (1, $1, ${Object.values(values).join(', ')})`,
    [id],
  )
const daysAgo = (days: number): string => `now() - interval '${days} days'`
const event = (id: number, days: number, more: Readonly<Record<string, string>> = {}) =>
  insert('events', id, {
    name: `'orders.place'`,
    resource_type: `'orders'`,
    record_id: '1',
    transaction_id: '1',
    created_at: daysAgo(days),
    updated_at: daysAgo(days),
    ...more,
  })
const delivery = (id: number, eventId: number, days: number, more: Readonly<Record<string, string>>) =>
  insert('webhook_deliveries', id, {
    webhook_id: '1',
    event_id: String(eventId),
    lane: '1',
    created_at: daysAgo(days),
    ...more,
  })

const runJob = async (job: JobDefinition): Promise<void> => {
  const queue = openQueue([job], core.database, silentLogger)
  await core.database.transaction((transaction) => queue.enqueue(job, {}, runIn(transaction)))
  await queue.runUntilIdle()
  await queue.close()
  expect(await query('SELECT name FROM jobs.job')).toEqual([])
}
const prune = (changes: Partial<Retention> = {}) => runJob(pruneLogs({ ...DAYS, ...changes }))

test('events go after their days, and before that they stay', async () => {
  await event(1, 91)
  await event(2, 89)
  await event(3, 400, { transaction_id: 'NULL' })
  await prune()
  expect(await numbers('events')).toEqual([2])
})

test('an event stays while it is to be delivered, to be sent again, or not followed yet', async () => {
  await event(1, 100)
  await delivery(1, 1, 1, { due_at: 'now()' })
  await event(2, 100)
  await delivery(2, 2, 1, {})
  await event(3, 100)
  await delivery(3, 3, 1, { failed_at: 'now()' })
  await event(4, 100, { triggered_at: 'now()' })
  // Of the transaction that the dispatcher has read to, behind the last event that it has read.
  const [place] = await query('SELECT pg_current_xact_id()::text::bigint AS id')
  await query('UPDATE webhook_cursor SET transaction_id = $1, event_id = 5', [place?.id])
  await event(5, 100, { transaction_id: String(place?.id) })
  await event(6, 100, { transaction_id: String(place?.id) })
  await event(7, 100, { transaction_id: String((place?.id ?? 0) + 1) })
  await event(8, 100, { updated_at: daysAgo(1) })
  await event(9, 100)
  await prune()
  expect(await numbers('events')).toEqual([1, 2, 3, 4, 6, 7, 8])
})

test('an event that is sent again at this moment is left alone', async () => {
  await event(1, 100)
  await core.database.transaction(async (transaction) => {
    await transaction.query('UPDATE events SET triggered_at = now()')
    await prune()
  })
  expect(await numbers('events')).toEqual([1])
})

test('deliveries that failed or are held go after their days; those that are due never do', async () => {
  await event(1, 1)
  await delivery(1, 1, 300, { due_at: daysAgo(300) })
  await delivery(2, 1, 300, { due_at: `now() + interval '1 day'` })
  await delivery(3, 1, 21, {})
  await delivery(4, 1, 19, {})
  await delivery(5, 1, 24, { failed_at: daysAgo(21) })
  await delivery(6, 1, 24, { failed_at: daysAgo(19) })
  await prune()
  expect(await numbers('webhook_deliveries')).toEqual([1, 2, 4, 6])
})

test('event callbacks go after their days', async () => {
  const callback = (id: number, days: number) =>
    insert('event_callbacks', id, {
      webhook_id: '1',
      event_id: '1',
      callback_url: `'http://127.0.0.1/hook'`,
      created_at: daysAgo(days),
    })
  await callback(1, 31)
  await callback(2, 29)
  await prune()
  expect(await numbers('event_callbacks')).toEqual([2])
})

test('versions stay for ever unless days are set', async () => {
  const version = (id: number, days: number) =>
    insert('versions', id, {
      resource_type: `'orders'`,
      record_id: '1',
      resource_id: `'a'`,
      event: `'update'`,
      created_at: daysAgo(days),
    })
  await version(1, 3_000)
  await version(2, 10)
  await prune()
  expect(await numbers('versions')).toEqual([1, 2])
  await prune({ versionDays: 365 })
  expect(await numbers('versions')).toEqual([2])
})

test('imports and exports go with their files once they are finished; those that run never do', async () => {
  const states = ['pending', 'in_progress', 'interrupted', 'completed', 'failed']
  for (const [at, status] of states.entries()) {
    for (const [id, days] of [
      [at, 61],
      [at + 10, 59],
    ] as const) {
      const shared = {
        resource_type: `'skus'`,
        status: `'${status}'`,
        file_key: `'key-${id}'`,
        requested_by: `'{}'`,
        updated_at: daysAgo(days),
      }
      await insert('exports', id, { ...shared, records_count: '1', final_record_id: '1' })
      await query(`INSERT INTO export_parts VALUES (1, $1, 0, 'x')`, [id])
      if (status !== 'failed') await insert('imports', id, { ...shared, inputs: `'[]'`, inputs_size: '0' })
    }
  }
  await prune()
  expect(await numbers('exports')).toEqual([0, 1, 10, 11, 12, 13, 14])
  expect((await query('SELECT export_id AS id FROM export_parts ORDER BY 1')).map(({ id }) => id)).toEqual([
    0, 1, 10, 11, 12, 13, 14,
  ])
  expect(await numbers('imports')).toEqual([0, 1, 10, 11, 12, 13])
})

/** `old` and `young` events in each environment, the old ones between the young ones. */
const fill = (old: number, young: number) =>
  query(
    `INSERT INTO events (environment_id, name, resource_type, record_id, transaction_id, created_at, updated_at)
     SELECT environment, 'orders.place', 'orders', n, 1, age.at, age.at
     FROM generate_series(1, ${ENVIRONMENTS}) AS environment, generate_series(1, ${old + young}) AS n,
       LATERAL (SELECT now() - CASE WHEN n % ${Math.ceil((old + young) / young)} = 0 THEN 1 ELSE 91 END * interval '1 day' AS at) AS age`,
  )
const countEvents = async (where = 'true'): Promise<number> =>
  Number((await query(`SELECT count(*) AS id FROM events WHERE ${where}`))[0]?.id)
const IS_OLD = `created_at < ${daysAgo(90)}`

test('more rows than a batch in many environments go in one run', async () => {
  await fill(900, 100)
  const young = await countEvents(`NOT ${IS_OLD}`)
  expect(await countEvents(IS_OLD)).toBe(ENVIRONMENTS * 900)
  await prune()
  expect(await countEvents(IS_OLD)).toBe(0)
  expect(await countEvents()).toBe(young)
})

test('a process that is killed in the middle has deleted whole batches, and another one goes on', async () => {
  await fill(4_000, 100)
  const total = await countEvents()
  const old = await countEvents(IS_OLD)
  const queue = openQueue([pruneLogs(DAYS)], core.database, silentLogger)
  await core.database.transaction((transaction) => queue.enqueue(pruneLogs(DAYS), {}, runIn(transaction)))
  const program = fileURLToPath(new URL('../../support/prune-until-killed.ts', import.meta.url))
  const pruning = spawn(process.execPath, ['--no-warnings', program, core.database.url], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await eventually(async () => (await countEvents()) < total)
  const exited = once(pruning, 'exit')
  pruning.kill('SIGKILL')
  await exited
  const left = await countEvents(IS_OLD)
  expect(left).toBeGreaterThan(0)
  expect((old - left) % 5_000).toBe(0)
  queue.start()
  await eventually(async () => (await countEvents(IS_OLD)) === 0)
  expect(await countEvents()).toBe(total - old)
  await queue.close()
})

test('idempotency keys go after a day, more than a batch in many environments', async () => {
  await query(
    `INSERT INTO idempotency_keys (environment_id, key_hash, fingerprint, status, answer, created_at)
     SELECT environment, sha256(n::text::bytea), '', 201, 'sealed', now() - CASE WHEN n <= 1000 THEN 25 ELSE 23 END * interval '1 hour'
     FROM generate_series(1, ${ENVIRONMENTS}) AS environment, generate_series(1, 1010) AS n`,
  )
  await runJob(pruneIdempotencyKeys)
  const left = await query(
    `SELECT count(*)::integer AS id FROM idempotency_keys WHERE created_at > now() - interval '24 hours'
     UNION ALL SELECT count(*)::integer FROM idempotency_keys`,
  )
  expect(left.map(({ id }) => id)).toEqual([ENVIRONMENTS * 10, ENVIRONMENTS * 10])
})

test('claims of idempotency keys that a process left behind go when their time is over', async () => {
  await query(
    `INSERT INTO idempotency_claims (environment_id, key_hash, holder, held_until)
     SELECT 1, sha256(n::text::bytea), gen_random_uuid(), now() + n * interval '1 minute' FROM unnest(ARRAY[-1, 5]) AS n`,
  )
  await runJob(pruneIdempotencyKeys)
  const left = await query(
    'SELECT count(*)::integer AS id FROM idempotency_claims UNION ALL SELECT count(*)::integer FROM idempotency_claims WHERE held_until > now()',
  )
  expect(left.map(({ id }) => id)).toEqual([1, 1])
})
