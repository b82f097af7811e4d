/** Buyers of too few units: what is sold, and what the database says of it. */
import { openConnections } from '@merx/load/connections'
import { prepare, repeat, type Contender } from './measure.ts'
import type { Purchase } from './peer.ts'

export const BUYERS = 60

/** What became of the buyers. */
export interface Race {
  readonly placed: number
  /** For want of stock, at whichever step. */
  readonly refused: number
  /** Answered with another error, in words. */
  readonly failures: readonly string[]
  /** Units that the database promises afterwards. */
  readonly promised: number
  readonly seconds: number
}

/** `together`: all stand before their last request and send it at once. `in turn`: whole purchases, ten at once. */
export type RaceKind = 'together' | 'in turn'

type Outcome = 'placed' | 'out of stock' | { readonly failure: string }

/** In the words of any of the systems. */
const OUT_OF_STOCK = /out_of_stock|insufficient.(stock|inventory)|required inventory/i

const outcomeOf = async (act: () => Promise<boolean>): Promise<Outcome> => {
  try {
    return (await act()) ? 'placed' : 'out of stock'
  } catch (error) {
    const failure = String(error)
    return OUT_OF_STOCK.test(failure) ? 'out of stock' : { failure }
  }
}

/** Ten purchases at once, each of which begins when another is done. */
const forEach = async (purchases: readonly Purchase[], act: (purchase: Purchase) => Promise<void>) => {
  const left = [...purchases]
  await repeat(
    () => left.length > 0,
    async () => {
      const purchase = left.pop()
      if (purchase !== undefined) await act(purchase)
    },
  )
}

export const race = async (contender: Contender, product: number, kind: RaceKind): Promise<Race> => {
  const { peer, running } = contender
  const connections = openConnections(running.url, BUYERS)
  const outcomes: Outcome[] = []
  try {
    const purchases = Array.from({ length: BUYERS }, (_, buyer) =>
      running.beginPurchase(connections, product, `racer-${product}-${buyer}@example.com`),
    )
    if (kind === 'together')
      await forEach(purchases, async (purchase) => {
        await prepare(purchase)
      })
    const startedAt = performance.now()
    if (kind === 'together')
      outcomes.push(...(await Promise.all(purchases.map((purchase) => outcomeOf(purchase.place)))))
    else
      await forEach(purchases, async (purchase) => {
        outcomes.push(await outcomeOf(async () => (await prepare(purchase)).place()))
      })
    return {
      placed: outcomes.filter((outcome) => outcome === 'placed').length,
      refused: outcomes.filter((outcome) => outcome === 'out of stock').length,
      failures: outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.failure] : [])),
      promised: await peer.promised(product),
      seconds: (performance.now() - startedAt) / 1000,
    }
  } finally {
    await connections.close()
  }
}
