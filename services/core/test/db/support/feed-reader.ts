/** Reads the order feed as a reader would, every page checked against the published schema. */
import { decodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import type { OrderDocument, OrderFeedEntry, OrderFeedPage } from '@merx/order-feed/order-document'
import { parseOrderFeedPage } from '@merx/order-feed/order-document-schema'
import type { Database } from '../../../src/engine/database/database.ts'
import { readOrderFeed } from '../../../src/order-feed/read-order-feed.ts'
import { othersAreDone } from './others-are-done.ts'

export interface FeedReader {
  page(after?: string, limit?: number): Promise<OrderFeedPage>
  /** Every page after the cursor. */
  all(
    after?: string,
    limit?: number,
  ): Promise<{ readonly entries: readonly OrderFeedEntry[]; readonly cursor: string }>
}

export const feedReader = (database: Database): FeedReader => {
  const page: FeedReader['page'] = async (after, limit = 500) => {
    await othersAreDone(database)
    const read = await readOrderFeed({ database, ids: testIds }, { after, limit })
    const checked = parseOrderFeedPage(JSON.parse(JSON.stringify(read.page)))
    if (!checked.ok) throw new Error(JSON.stringify(checked.violations))
    return read.page
  }
  return {
    page,
    all: async (after, limit) => {
      const entries: OrderFeedEntry[] = []
      let cursor = after
      for (;;) {
        const next = await page(cursor, limit)
        entries.push(...next.entries)
        cursor = next.cursor
        if (next.caught_up) return { entries, cursor }
      }
    },
  }
}

/** The numbers of the orders. */
export const numbersOf = (entries: readonly OrderFeedEntry[]): readonly (number | undefined)[] =>
  entries.map((entry) => decodeId('orders', entry.kind === 'upsert' ? entry.document.id : entry.id))

export const versionOf = (entry: OrderFeedEntry): number =>
  entry.kind === 'upsert' ? entry.document.version : entry.version

/** The document of the only entry; anything else fails the test. */
export const onlyDocument = (entries: readonly OrderFeedEntry[]): OrderDocument => {
  const [entry, ...more] = entries
  if (entry?.kind !== 'upsert' || more.length > 0) {
    throw new Error(`expected one document, got ${JSON.stringify(entries)}`)
  }
  return entry.document
}
