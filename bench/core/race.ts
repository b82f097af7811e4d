/** Buyers of the last pieces at once, phase by phase, over several processes of core. */
import { encodeId } from '@merx/core/load/load-ids'
import { beginPurchase } from '@merx/core/load/purchase'
import type { Purchase } from '@merx/core/load/purchase'
import type { Cores } from '@merx/core/load/start-cores'
import type { BenchContext } from '@merx/load/bench'
import { openConnections } from '@merx/load/connections'
import type { LoadAnswer } from '@merx/load/exchange'
import type { createPool } from '@merx/postgres/pool'

export interface RaceOptions {
  readonly buyers: number
  readonly pieces: number
  /** Nobody else buys it. */
  readonly sku: number
}

export interface Race {
  readonly name: string
  /** As many were placed as there were pieces, the others are out of stock, and nobody else was charged. */
  readonly isRight: boolean
  readonly found: string
  readonly seconds: number
  readonly cells: readonly string[]
}

/** To each process; who waits longer than five seconds for a connection to PostgreSQL is refused. */
const CONNECTIONS = 50

const isOutOfStock = ({ status, body = '' }: LoadAnswer): boolean =>
  status === 422 && body.includes('"out_of_stock"')

/** Orders of the SKU that hold money, and pieces that are promised. */
const BOOKS = `SELECT
    (SELECT count(DISTINCT transactions.order_id)::int FROM transactions
      JOIN line_items ON line_items.order_id = transactions.order_id AND line_items.sku_id = $1) AS charged,
    (SELECT coalesce(sum(quantity), 0)::int FROM reserved_stocks WHERE sku_id = $1) AS promised`

export const race = async (
  { buyers, pieces, sku }: RaceOptions,
  { cores, pool }: { readonly cores: Cores; readonly pool: ReturnType<typeof createPool> },
  { say }: Pick<BenchContext, 'say'>,
): Promise<Race> => {
  const name = `${buyers} buyers of ${pieces} ${pieces === 1 ? 'piece' : 'pieces'}: exactly ${pieces} placed, the others out of stock`
  await pool.query(
    'UPDATE stock_items SET quantity = CASE stock_location_id WHEN 1 THEN $2::int ELSE 0 END WHERE sku_id = $1',
    [sku, pieces],
  )
  const fronts = cores.targets.map(({ url }) => openConnections(url, CONNECTIONS))
  const purchases = Array.from({ length: buyers }, (_, buyer): Purchase => {
    const front = fronts[buyer % fronts.length]
    if (front === undefined) throw new Error('no core was started')
    return beginPurchase(front, cores.tokens.marketToken, `racer-${sku}-${buyer}@example.com`)
  })
  const seconds: number[] = []
  const phase = async <T>(act: (purchase: Purchase) => Promise<T>): Promise<readonly T[]> => {
    const startedAt = performance.now()
    const results = await Promise.all(purchases.map(act))
    seconds.push((performance.now() - startedAt) / 1000)
    return results
  }
  say(`${buyers} buyers of ${pieces}`)
  await phase((purchase) => purchase.fillCart([{ sku: encodeId('skus', sku), quantity: 1 }]))
  await phase((purchase) => purchase.checkOut())
  await phase((purchase) => purchase.pay())
  const answers = await phase((purchase) => purchase.place())
  for (const front of fronts) await front.close()
  const placed = answers.filter(({ status }) => status === 200).length
  const refused = answers.filter(isOutOfStock).length
  const { rows } = await pool.query<{ charged: number; promised: number }>(BOOKS, [sku])
  const { charged = -1, promised = -1 } = rows[0] ?? {}
  const all = seconds.reduce((sum, each) => sum + each, 0)
  return {
    name,
    isRight: placed === pieces && refused === buyers - pieces && charged === pieces && promised === pieces,
    found: `${placed} placed, ${refused} out of stock, ${charged} charged, ${promised} promised, ${all.toFixed(1)} s`,
    seconds: all,
    cells: [
      String(buyers),
      String(pieces),
      ...[...seconds, all].map((each) => each.toFixed(1)),
      String(placed),
      String(buyers - placed),
    ],
  }
}
