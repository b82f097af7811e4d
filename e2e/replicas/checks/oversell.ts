/** Buyers on all replicas at once want more than there is: what was there is sold, and not a piece more. */
import { fillCart, openClient, openNotes, trigger, type Client } from '../../faults/history/clients.ts'
import { judgeHistory } from '../../faults/history/judge-history.ts'
import { openShop } from '../../faults/history/shop.ts'
import { createRandom } from '../../support/random.ts'
import { unless, type Check } from '../support/check.ts'
import { openSystem } from '../support/system.ts'

const BUYERS = 60
const UNITS = 20
const AT_ONCE = 10
const SEED = 29

export const oversell: Check = {
  name: 'oversell',
  title: 'three core sell no piece twice',
  run: async () => {
    const system = await openSystem()
    const every = await openShop(openClient(system, 'merchant').user, UNITS, `RACE-${Date.now()}`)
    const shop = { ...every, skus: new Map([...every.skus].slice(0, 1)) }
    const notes = openNotes()
    const random = createRandom(SEED)
    const buyers: (readonly [Client, string])[] = []
    const fill = async (at: number): Promise<void> => {
      const client = openClient(system, `buyer ${at}`)
      const order = await fillCart(client, shop, random, notes)
      if (order !== undefined) buyers.push([client, order])
    }
    for (let at = 0; at < BUYERS; at += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => fill(at + more)))
    const startedAt = performance.now()
    const placed = await Promise.all(buyers.map(([client, order]) => trigger(client, notes, order, 'place')))
    const ms = Math.round(performance.now() - startedAt)
    const wanted = buyers.reduce((sum, [, order]) => sum + (notes.carts.get(order)?.quantity ?? 0), 0)
    const bought = buyers.reduce(
      (sum, [, order], at) => sum + (placed[at] === true ? (notes.carts.get(order)?.quantity ?? 0) : 0),
      0,
    )
    const { wrong } = await judgeHistory(
      system,
      shop,
      notes,
      buyers.map(([{ record }]) => record),
    )
    return {
      figures: `${buyers.length} orders of ${wanted} pieces placed at once in ${ms} ms: ${bought} of ${UNITS} sold`,
      wrong: [
        ...wrong,
        ...unless(buyers.length === BUYERS, `only ${buyers.length} of ${BUYERS} filled a cart`),
        ...unless(bought === UNITS, `${bought} of ${UNITS} pieces were sold, although ${wanted} were wanted`),
      ],
    }
  },
}
