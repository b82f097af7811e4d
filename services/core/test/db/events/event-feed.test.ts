/**
 * Readers of events miss none and see none twice, although transactions commit in another order than they began, some are rolled
 * back, and readers begin at any time (docs/adr/0098-event-stream.md).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@merx/testing/eventually'
import { silentLogger } from '@merx/testing/silent-logger'
import { runOn } from '../../../src/engine/database/run-statement.ts'
import type { RunStatement } from '../../../src/engine/database/run-statement.ts'
import { DECIDED } from '../../../src/events/follow-events.ts'
import type { EventPlace } from '../../../src/events/follow-events.ts'
import { createEventFeed } from '../../../src/events/stream/event-feed.ts'
import type { EventFeed } from '../../../src/events/stream/event-feed.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'

const TRANSACTIONS = 300
const EVENTS_OF_EACH = 10
const AT_ONCE = 12

let core: CoreDatabase
beforeAll(async () => {
  core = await openCoreDatabase('event_feed')
  await core.database.query(
    "INSERT INTO environments (id, organization_id, mode, slug, name) VALUES (1, 'enWoxFMOnp', 'test', 'shop', 'Shop')",
  )
})
afterAll(() => core.drop())

const INSERT = `INSERT INTO events (environment_id, name, resource_type, record_id) VALUES (1, 'skus.create', 'skus', $1)`

/** Takes a while, so that later ones commit before it. */
const write = async (number: number): Promise<void> => {
  const rollBack = new Error('rolled back')
  await core.database
    .transaction(async (transaction) => {
      for (let event = 0; event < EVENTS_OF_EACH; event += 1) {
        await transaction.query(INSERT, [number])
        await wait(Math.random() * 4)
      }
      if (number % 5 === 0) throw rollBack
    })
    .catch((error: unknown) => {
      if (error !== rollBack) throw error
    })
}

/** @returns what it has seen, which grows until the signal aborts */
const read = (feed: EventFeed, from: EventPlace, signal: AbortSignal): number[] => {
  const seen: number[] = []
  const follow = async (): Promise<void> => {
    for (let place = from; !signal.aborted;) {
      const page = await feed.after(place, 1)
      seen.push(...page.events.map(({ id }) => id))
      place = page.through
      if (!page.hasMore) await feed.waitForMore(place, 1, 1_000, signal)
    }
  }
  void follow()
  return seen
}

const select = async (after: EventPlace): Promise<readonly number[]> => {
  const rows = await core.database.query<{ id: number }>(
    'SELECT id FROM events WHERE (transaction_id, id) > ($1, $2) ORDER BY transaction_id, id',
    [after.transactionId, after.eventId],
  )
  return rows.map(({ id }) => id)
}

test('every reader sees what committed, once and in order, wherever it began', async () => {
  const feed = createEventFeed({ run: runOn(core.database.pool), log: silentLogger })
  const leave = feed.join()
  const stopping = new AbortController()
  const readers: { readonly from: EventPlace; readonly seen: readonly number[] }[] = []
  const begin = async (from?: EventPlace): Promise<void> => {
    const place = from ?? (await feed.present())
    readers.push({ from: place, seen: read(feed, place, stopping.signal) })
  }
  const numbers = Array.from({ length: TRANSACTIONS }, (_, at) => at).values()
  const writer = async (): Promise<void> => {
    for (const number of numbers) {
      await write(number)
      if (number % 30 === 0) await begin(number % 60 === 0 ? { transactionId: 0, eventId: 0 } : undefined)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, writer))
  const all = await select({ transactionId: 0, eventId: 0 })
  const byId = all.toSorted((a, b) => a - b)
  // Else nothing was tested: ids and commits were in the same order.
  expect(all).not.toEqual(byId)
  expect(all).toHaveLength((TRANSACTIONS * 4 * EVENTS_OF_EACH) / 5)
  expect(readers).toHaveLength(10)
  for (const { from, seen } of readers) {
    const wanted = await select(from)
    for (
      const begun = Date.now();
      seen.length < wanted.length && Date.now() - begun < 60_000;
      await wait(20)
    );
    expect(seen).toEqual(wanted)
  }
  stopping.abort()
  leave()
  await feed.close()
})

test('a reader that waits before the first look is woken by it, for what committed in between', async () => {
  const run = runOn(core.database.pool)
  const firstLook = Promise.withResolvers<undefined>()
  const held: RunStatement = async (statement) => {
    if (statement.values.length === 0) await firstLook.promise // it asks for the present place; pages have values
    return run(statement)
  }
  const feed = createEventFeed({ run: held, log: silentLogger })
  const leave = feed.join()
  let { through, hasMore } = await feed.after({ transactionId: 0, eventId: 0 }, 1)
  while (hasMore) ({ through, hasMore } = await feed.after(through, 1))
  const woken = feed.waitForMore(through, 1, 10_000, new AbortController().signal)
  await core.database.query(INSERT, [1])
  await eventually(async () => {
    const rows = await core.database.query(
      `SELECT FROM events WHERE transaction_id >= ${DECIDED} AND environment_id = 1`,
    )
    return rows.length === 0
  })
  firstLook.resolve(undefined)
  const isWoken = await woken
  const { events } = await feed.after(through, 1)
  leave()
  await feed.close()
  expect([isWoken, events]).toMatchObject([true, [{ record_id: 1 }]])
})
