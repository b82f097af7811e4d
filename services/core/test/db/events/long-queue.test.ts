/** The dispatcher of webhooks reads its queue once for a look, also when the queue was empty as it began. */
import { runIn } from '../../../src/engine/database/run-statement.ts'
import { isBehind } from '../../../src/events/make-deliveries.ts'
import { LANE_TAKE_MAX, takeDeliveries } from '../../../src/events/take-deliveries.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'

const EVENTS = 20_000
/** PostgreSQL keeps a plan after five executions of a prepared statement. */
const LOOKS = 8

let core: CoreDatabase
beforeAll(async () => {
  core = await openCoreDatabase('long_queue')
})
afterAll(() => core.drop())

const READ = `
  SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::integer AS rows FROM pg_stat_xact_user_tables
  WHERE relname IN ('events', 'webhook_deliveries')`

test('a look at 20,000 waiting deliveries reads the queue once at most, and only the events it takes', async () => {
  await core.database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const look = async () => ({
      isBehind: await isBehind(run),
      taken: await takeDeliveries({ taken: [], full: [] }, run),
    })
    const rowsRead = async (): Promise<number> =>
      (await transaction.query<{ rows: number }>(READ))[0]?.rows ?? NaN
    for (let looks = 0; looks < LOOKS; looks += 1)
      expect(await look()).toEqual({ isBehind: false, taken: [] })
    await transaction.query(
      "INSERT INTO environments (id, organization_id, mode, slug, name) VALUES (1, 'enWoxFMOnp', 'test', 'shop', 'Shop')",
    )
    await transaction.query(
      "INSERT INTO webhooks (id, environment_id, topic, callback_url) OVERRIDING SYSTEM VALUE VALUES (1, 1, 'skus.create', 'https://example.com')",
    )
    await transaction.query(
      `INSERT INTO events (environment_id, name, resource_type, record_id)
       SELECT 1, 'skus.create', 'skus', n FROM generate_series(1, $1::integer) AS n`,
      [EVENTS],
    )
    await transaction.query(
      `INSERT INTO webhook_deliveries (environment_id, webhook_id, event_id, lane, due_at)
       SELECT 1, 1, id, 1, now() - id * interval '1 ms' FROM events`,
    )
    const before = await rowsRead()
    expect((await look()).taken).toHaveLength(LANE_TAKE_MAX)
    const rows = (await rowsRead()) - before
    expect(rows).toBeGreaterThanOrEqual(LANE_TAKE_MAX)
    expect(rows).toBeLessThanOrEqual(EVENTS + 2 * LANE_TAKE_MAX)
  })
})
