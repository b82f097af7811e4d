/**
 * Transactions that change what is sellable in market 1 and leave how much is: each takes the price of one SKU away and
 * gives one to another, so a reader that counts exactly sees the same count at every moment.
 */
import type { LoadedCore } from '@merx/core/load/start-core'

const WRITERS = 5

export interface SellabilityChanges {
  /** How many a second were committed. */
  stop(): Promise<number>
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** One SKU with a price in list 1 and one without, both in stock, in the part of the shop that is the writer's. */
const PAIR = `SELECT
  (SELECT min(id) FROM skus WHERE environment_id = 1 AND id >= $1 AND id % 6 <> 0 AND id % 10 = 1) AS priced,
  (SELECT min(id) FROM skus WHERE environment_id = 1 AND id >= $1 AND id % 6 <> 0 AND id % 10 = 7) AS unpriced`

const MOVE = `WITH gone AS (DELETE FROM prices WHERE environment_id = 1 AND price_list_id = 1 AND sku_id = $1)
  INSERT INTO prices (environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents)
  SELECT 1, id, code, 1, 'EUR', 1000 FROM skus WHERE environment_id = 1 AND id = $2`

/** As many a second as its argument says, as far as the machine can. */
export const changeSellability = ({ pool, skus }: LoadedCore, perSecond: number): SellabilityChanges => {
  let isStopped = false
  let committed = 0
  const startedAt = performance.now()
  const write = async (writer: number): Promise<void> => {
    const { rows } = await pool.query<{ priced: number; unpriced: number }>(PAIR, [
      1 + Math.floor((skus / (WRITERS + 1)) * writer),
    ])
    let pair = [rows[0]?.priced, rows[0]?.unpriced]
    for (let count = 1; !isStopped; count += 1) {
      await pool.query(MOVE, pair)
      pair = pair.toReversed()
      committed += 1
      const dueMs = (count * 1000 * WRITERS) / perSecond
      await pause(Math.max(0, dueMs - (performance.now() - startedAt)))
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  return {
    stop: async () => {
      const seconds = (performance.now() - startedAt) / 1000
      isStopped = true
      await writers
      return committed / seconds
    },
  }
}
