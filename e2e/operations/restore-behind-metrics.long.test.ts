/**
 * The database of core is set back to a backup while metrics goes on with its store, and nobody tells it: it finds out by
 * its position in the order feed, and rebuilds its tables (docs/adr/0035-shadow-tables-and-swap.md).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { compareTotals } from '../faults/support/compare-totals.ts'
import { openLab, type Lab } from '../faults/support/lab.ts'
import { createRecord, createUser, type User } from '../faults/support/user.ts'
import { ALL_TIME } from '../support/every-order.ts'
import type { CollectionDocument, ResourceDocument, SearchAnswer } from '../support/wire.ts'

const LAB_MS_MAX = 240_000
const RESTORE_MS_MAX = 180_000
const SEEN_MS_MAX = 60_000

let lab: Lab | undefined

const requireLab = (): Lab => {
  if (lab === undefined) throw new Error('the lab did not open')
  return lab
}

beforeAll(async () => {
  lab = await openLab()
}, LAB_MS_MAX)

afterAll(async () => {
  await lab?.close()
}, LAB_MS_MAX)

/** Statements that no transaction may hold. */
const administer = async (...statements: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString: requireLab().postgres.databaseUrl('postgres') })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Nothing of core's database is in use meanwhile. */
const whileCoreIsUnavailable = async (...statements: readonly string[]): Promise<void> => {
  const { core } = requireLab().services
  await core.stop()
  await administer(...statements)
  await core.start()
  await requireLab().ready()
}

const given = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`${what} was refused`)
  return value
}

const setReference = async (user: User, id: string, reference: string): Promise<void> => {
  const body = { data: { type: 'orders', id, attributes: { reference } } }
  given(await user.core('PATCH', `orders/${id}`, body), 'a change')
}

const beginCart = async (user: User, reference: string): Promise<string> => {
  const markets = given(await user.core('GET', 'markets?page%5Bsize%5D=1&sort=id'), 'a list')
  const [market] = markets.json<CollectionDocument>().data
  const relationships = { market: { data: { type: 'markets', id: market?.id } } }
  const made = await user.core('POST', 'orders', {
    data: { type: 'orders', attributes: { reference }, relationships },
  })
  return given(made, 'a cart').json<ResourceDocument>().data.id
}

const withReference = async (
  user: User,
  resource: string,
  reference: string,
): Promise<readonly unknown[]> => {
  const reply = await user.metrics(`${resource}/search`, {
    search: { fields: ['order.id'], limit: 10 },
    filter: { order: { ...ALL_TIME, date_field: 'created_at', references: { in: [reference] } } },
  })
  return given(reply, 'a search')
    .json<SearchAnswer>()
    .data.map(({ id }) => id)
}

const until = async (
  user: User,
  resource: string,
  reference: string,
  ids: readonly string[],
): Promise<void> => {
  const deadline = performance.now() + SEEN_MS_MAX
  while (performance.now() < deadline) {
    if ((await withReference(user, resource, reference)).length === ids.length) break
    await wait(100)
  }
  expect(await withReference(user, resource, reference)).toEqual(ids)
}

test(
  'core set back behind metrics: what came after the backup is gone from its answers, and what comes next reaches them',
  async () => {
    const user = createUser({
      lab: requireLab(),
      record: createRecord(),
      organization: 0,
      credential: 'integration',
      allowed: new Set(),
    })
    const orders = await user.core('GET', 'orders?page%5Bsize%5D=1&filter%5Bq%5D%5Bstatus_eq%5D=approved')
    const order = given(orders, 'a list').json<CollectionDocument>().data[0]?.id ?? ''
    await setReference(user, order, 'before-the-backup')
    await until(user, 'orders', 'before-the-backup', [order])
    await whileCoreIsUnavailable('CREATE DATABASE of_the_backup TEMPLATE merx_core')

    for (const turn of [1, 2, 3]) await setReference(user, order, `after-the-backup-${turn}`)
    const cart = await beginCart(user, 'after-the-backup')
    await until(user, 'orders', 'after-the-backup-3', [order])
    await until(user, 'carts', 'after-the-backup', [cart])
    await whileCoreIsUnavailable(
      'DROP DATABASE merx_core',
      'ALTER DATABASE of_the_backup RENAME TO merx_core',
    )

    await until(user, 'orders', 'before-the-backup', [order])
    await until(user, 'carts', 'after-the-backup', [])
    expect(await compareTotals(requireLab())).toEqual([])

    await setReference(user, order, 'after-the-restore') // its version is one that metrics has seen before
    await until(user, 'orders', 'after-the-restore', [order])
    expect(await compareTotals(requireLab())).toEqual([])
  },
  RESTORE_MS_MAX,
)
