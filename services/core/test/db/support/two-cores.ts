/** Two processes of core on one shop that is filled for checkout, and buyers and merchants who use them at once. */
import { openConnections } from '@merx/load/connections'
import type { Connections } from '@merx/load/connections'
import type { LoadAnswer } from '@merx/load/exchange'
import { freshDatabase } from '@merx/testing/fresh-database'
import { silentLogger } from '@merx/testing/silent-logger'
import { fillCheckout, sellableSkus } from '../../../load/fill-checkout.ts'
import { fillShop } from '../../../load/fill-shop.ts'
import { beginPurchase } from '../../../load/purchase.ts'
import type { Goods, Purchase } from '../../../load/purchase.ts'
import { startCores } from '../../../load/start-cores.ts'
import type { Cores } from '../../../load/start-cores.ts'
import { openDatabase } from '../../../src/engine/database/database.ts'
import type { Database } from '../../../src/engine/database/database.ts'
import { migrationsFolder } from '../../../src/migrate.ts'

/** To each process: as many as it has to PostgreSQL. On a busy machine, who waits longer than five seconds for one is refused. */
const CONNECTIONS = 10

export interface TwoCores {
  readonly database: Database
  readonly databaseUrl: string
  readonly tokens: Cores['tokens']
  /** A request is answered by the process of its turn. */
  readonly frontOf: (turn: number) => Connections
  /** A SKU that no other test has used. */
  readonly nextSku: () => number
  /** Pieces in each of the three locations of the market, best first. */
  readonly setStock: (sku: number, pieces: readonly number[]) => Promise<unknown>
  readonly usesStrategy: (name: string) => Promise<unknown>
  /** Everything but placing, for as many buyers. */
  readonly payable: (
    count: number,
    goodsOf: (buyer: number) => readonly Goods[],
  ) => Promise<readonly Purchase[]>
  readonly close: () => Promise<void>
}

/** `name` is of its database. */
export const openTwoCores = async (name: string): Promise<TwoCores> => {
  const fresh = await freshDatabase({ name, migrations: migrationsFolder })
  await fillShop(fresh.url, 100, () => undefined)
  await fillCheckout(fresh.url)
  const database = openDatabase({ url: fresh.url, maxConnections: 2, log: silentLogger })
  const cores = await startCores(fresh.url, 2)
  const fronts = cores.targets.map(({ url }) => openConnections(url, CONNECTIONS))
  const free = sellableSkus(100).values()
  let buyers = 0
  const frontOf = (turn: number): Connections => {
    const front = fronts[turn % fronts.length]
    if (front === undefined) throw new Error('no core was started')
    return front
  }
  return {
    database,
    databaseUrl: fresh.url,
    tokens: cores.tokens,
    frontOf,
    nextSku: () => {
      const { value } = free.next()
      if (value === undefined) throw new Error('the shop has too few SKUs')
      return value
    },
    setStock: (sku, pieces) =>
      database.query(
        'UPDATE stock_items SET quantity = coalesce(($2::int[])[stock_location_id], 0) WHERE environment_id = 1 AND sku_id = $1',
        [sku, pieces],
      ),
    usesStrategy: (strategy) =>
      database.query('UPDATE inventory_models SET strategy = $1, stock_locations_cutoff = 3 WHERE id = 1', [
        strategy,
      ]),
    payable: async (count, goodsOf) => {
      const purchases = Array.from({ length: count }, (_, buyer) => {
        buyers += 1
        return beginPurchase(frontOf(buyer), cores.tokens.marketToken, `buyer-${buyers}@example.com`)
      })
      await Promise.all(purchases.map((purchase, buyer) => purchase.fillCart(goodsOf(buyer))))
      await Promise.all(purchases.map((purchase) => purchase.checkOut()))
      await Promise.all(purchases.map((purchase) => purchase.pay()))
      return purchases
    },
    close: async () => {
      for (const front of fronts) await front.close()
      await cores.stop()
      await database.close()
      await fresh.drop()
    },
  }
}

interface ErrorDocument {
  readonly errors: readonly { readonly meta?: { readonly error?: string } }[]
}

/** `done`, or why not. */
export const outcomeOf = ({ status, body = '' }: LoadAnswer): string => {
  if (status === 200) return 'done'
  if (status !== 422) return `${status}: ${body}`
  return (JSON.parse(body) as ErrorDocument).errors.map(({ meta }) => meta?.error).join()
}

export const countsOf = (outcomes: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(outcomes, (each) => each)].map(([name, all]) => [name, all.length]))

/** More was promised of a stock item than was there at that moment, by the change log, whose rows are in order. */
export const overpromised = (database: Database, sku: number) =>
  database.query(
    `WITH changes AS (
      SELECT versions.id, items.id AS item, resource_type AS type, (changes->'quantity'->>0)::int AS before,
        (changes->'quantity'->>1)::int AS after
      FROM versions JOIN stock_items AS items ON items.sku_id = $1 AND (
        (resource_type = 'stock_items' AND record_id = items.id) OR
        (resource_type = 'reserved_stocks' AND record_id IN (SELECT id FROM reserved_stocks WHERE stock_item_id = items.id)))
      WHERE changes ? 'quantity'
    ), running AS (
      SELECT *, (SELECT after FROM changes AS stock WHERE stock.item = changes.item AND stock.type = 'stock_items'
        AND stock.id < changes.id ORDER BY stock.id DESC LIMIT 1) AS there
      FROM changes WHERE type = 'reserved_stocks'
    )
    SELECT * FROM running WHERE after > coalesce(before, 0) AND after > there`,
    [sku],
  )

/** Does one thing after the other until stopped. */
export const startMerchant = (acts: readonly ((turn: number) => Promise<LoadAnswer | undefined>)[]) => {
  const statuses: number[] = []
  let isStopped = false
  const working = (async () => {
    for (let turn = 0; !isStopped; turn += 1) {
      const answer = await acts[turn % acts.length]?.(turn)
      if (answer !== undefined) statuses.push(answer.status)
    }
  })()
  return {
    stop: async (): Promise<readonly number[]> => {
      isStopped = true
      await working
      return statuses
    },
  }
}
