/**
 * The demo shop, from a fixed seed: what `npm start` loads once and `npm run demo` makes bigger. Every step is a
 * transaction that records how far it came, so that an interrupted load goes on, and a finished one does nothing.
 */
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { Pool, PoolClient } from 'pg'
import { DEMO_DAYS } from './calendar.ts'
import { describeEnvironment } from './describe-demo.ts'
import type { DemoEnvironment } from './describe-demo.ts'
import { loadCatalogue } from './load-catalogue.ts'
import { loadCustomers } from './load-customers.ts'
import { loadOrders } from './load-orders.ts'
import { loadPromotions } from './load-promotions.ts'
import { createRandom } from './random.ts'
import { readShop } from './read-shop.ts'

export interface DemoOrganization {
  /** The organization's public id, from auth. */
  readonly id: string
  readonly slug: string
  readonly name: string
}

export interface DemoSizes {
  /** In the first organization's test environment; the other environments get a tenth and less. */
  readonly orders: number
  /** Default 2000. */
  readonly skus?: number
  /** At most, default 5000; small environments have fewer. */
  readonly customers?: number
}

export interface DemoOptions {
  /** From @merx/postgres/pool: row numbers are read as numbers. */
  readonly pool: Pool
  /** Core's own: the description of the demo uses them. */
  readonly ids: PublicIds
  readonly organizations: readonly DemoOrganization[]
  readonly sizes: DemoSizes
  /** One line of text a step. */
  readonly onProgress: (line: string) => void
  /** When the last orders were made. Default: now. */
  readonly now?: Date
}

/** By organization id. */
export type DemoCatalogue = Readonly<
  Record<string, { readonly test: DemoEnvironment; readonly live: DemoEnvironment }>
>

const SEED = 'merx'
/** Parts of `sizes.orders`, by place of the organization: 50,000 give 50,000 / 5,000 and 3,000 / 1,000. */
const SHARES = [
  { test: 1, live: 0.1 },
  { test: 0.06, live: 0.02 },
] as const

/** All of it. */
export const loadDemo = async (options: DemoOptions): Promise<DemoCatalogue> => {
  const catalogue = await openDemoShops(options)
  await loadDemoOrders(options)
  return catalogue
}

/** Everything but orders: from here on the shops can be used. */
export const openDemoShops = async (options: DemoOptions): Promise<DemoCatalogue> => {
  const catalogue: Record<string, { test: DemoEnvironment; live: DemoEnvironment }> = {}
  for (const { test, live } of targetsOf(options))
    catalogue[test.organization.id] = {
      test: await openShop(options, test),
      live: await openShop(options, live),
    }
  return catalogue
}

/** The orders of shops that openDemoShops has opened, also while others use them. */
export const loadDemoOrders = async (options: DemoOptions): Promise<void> => {
  const { pool } = options
  for (const target of targetsOf(options).flatMap(({ test, live }) => [test, live])) {
    const state = await findState(pool, target)
    if (target.orders > state.orders) await addOrders(options, target, state)
  }
  // Plans for tables that were empty a moment ago would be wrong for minutes.
  await pool.query('ANALYZE')
}

const targetsOf = (options: DemoOptions) => {
  const now = options.now ?? new Date()
  return options.organizations.map((organization, index) => {
    const shares = SHARES[index] ?? SHARES[1]
    const targetOf = (mode: 'test' | 'live'): EnvironmentTarget => ({
      ...{ organization, mode, now },
      orders: Math.max(1, Math.round(options.sizes.orders * shares[mode])),
    })
    return { test: targetOf('test'), live: targetOf('live') }
  })
}

interface EnvironmentTarget {
  readonly organization: DemoOrganization
  readonly mode: 'test' | 'live'
  readonly orders: number
  readonly now: Date
}

interface DemoState {
  readonly id: number
  readonly has_catalogue: boolean
  readonly orders: number
  /** What the last load was to reach, and how many orders there were when it began. */
  readonly goal: { readonly orders: number; readonly from: number } | null
}

const labelOf = ({ organization, mode }: EnvironmentTarget): string => `${organization.slug} (${mode})`

const openShop = async (options: DemoOptions, target: EnvironmentTarget): Promise<DemoEnvironment> => {
  const { pool, sizes, onProgress } = options
  const { orders, now } = target
  const state = await findState(pool, target)
  if (!state.has_catalogue) {
    const customers = Math.min(sizes.customers ?? 5_000, Math.max(100, Math.ceil(orders / 5)))
    await inTransaction(pool, (client) =>
      loadBasics(client, state.id, { skus: sizes.skus ?? 2_000, customers, now }),
    )
    // As below; the next query joins these.
    await pool.query('ANALYZE customers, addresses')
    onProgress(`${labelOf(target)}: catalogue, prices, stock and ${customers} customers loaded`)
  }
  return describeEnvironment(options, state.id)
}

const findState = async (
  pool: Pool,
  { organization: { id, slug, name }, mode }: EnvironmentTarget,
): Promise<DemoState> => {
  await pool.query(
    `INSERT INTO environments (organization_id, mode, slug, name) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, mode) DO NOTHING`,
    [id, mode, slug, name],
  )
  const { rows } = await pool.query<DemoState>(
    `SELECT id, metadata ? 'demo' AS has_catalogue, coalesce((metadata #>> '{demo,orders}')::integer, 0) AS orders,
       metadata #> '{demo,goal}' AS goal
     FROM environments WHERE organization_id = $1 AND mode = $2`,
    [id, mode],
  )
  const [state] = rows
  if (state === undefined) throw new Error(`the ${mode} environment of ${slug} could not be made`)
  return state
}

interface Basics {
  readonly skus: number
  readonly customers: number
  readonly now: Date
}

const loadBasics = async (
  client: PoolClient,
  environmentId: number,
  { skus, customers, now }: Basics,
): Promise<void> => {
  const random = createRandom(`${SEED}/${environmentId}`)
  const openedAt = new Date(now.getTime() - DEMO_DAYS * 86_400_000)
  await loadCatalogue({ client, environmentId, random, openedAt, skus })
  await loadCustomers({ client, environmentId, random, openedAt, now, customers })
  await client.query(
    `UPDATE environments SET metadata = jsonb_set(metadata, '{demo}', '{"orders": 0}') WHERE id = $1`,
    [environmentId],
  )
}

/** What is added to a finished shop is spread over all of its years; an interrupted load goes on where it was. */
const addOrders = async (
  { pool, ids, onProgress }: DemoOptions,
  target: EnvironmentTarget,
  { id: environmentId, orders: already, goal }: DemoState,
): Promise<void> => {
  const { orders, now } = target
  const from = goal?.orders === orders ? goal.from : already
  await pool.query(
    `UPDATE environments SET metadata = jsonb_set(metadata, '{demo,goal}', $2::jsonb) WHERE id = $1`,
    [environmentId, JSON.stringify({ orders, from })],
  )
  if (already > from) await pool.query(COUNT_ORDERS, [environmentId])
  const shop = await inTransaction(pool, async (client) => {
    await loadPromotions(client, environmentId)
    return readShop(client, environmentId, ids)
  })
  let done = already
  await loadOrders({
    pool,
    environmentId,
    shop,
    random: createRandom(`${SEED}/${environmentId}/orders from ${already}`),
    now,
    orders: orders - from,
    stored: already - from,
    onBatch: (count) => {
      done += count
      onProgress(`${labelOf(target)}: ${done.toLocaleString('en')} of ${orders.toLocaleString('en')} orders`)
    },
  })
  await pool.query(COUNT_ORDERS, [environmentId])
}

/** total_orders_count and status are about orders placed (lifecycles.md 9). */
const COUNT_ORDERS = `
  UPDATE customers SET total_orders_count = counted.orders,
    status = CASE counted.orders WHEN 1 THEN 'acquired' ELSE 'repeat' END
  FROM (
    SELECT customer_id, count(*) AS orders FROM orders
    WHERE environment_id = $1 AND placed_at IS NOT NULL AND customer_id IS NOT NULL GROUP BY customer_id
  ) AS counted
  WHERE customers.environment_id = $1 AND customers.id = counted.customer_id
    AND customers.total_orders_count <> counted.orders`

const inTransaction = async <T>(pool: Pool, act: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await act(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}
