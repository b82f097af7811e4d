/** What core answered, as data: recorded from a real one by bench/contracts. */
import { readFileSync } from 'node:fs'
import type { OrderDocument, OrderFeedPage } from '@merx/order-feed/order-document'

interface Recording {
  /** The whole answer of GET /internal/order-feed, with one order of one line. */
  readonly page: OrderFeedPage
  /** The whole answer of POST /internal/order-feed/lease. */
  readonly lease: Readonly<Record<string, unknown>>
}

export const recording = JSON.parse(
  readFileSync(new URL('./recorded-core.json', import.meta.url), 'utf8'),
) as Recording

/** @throws Error when the recording has no order. */
export const recordedDocument = (): OrderDocument => {
  const entry = recording.page.entries.find(({ kind }) => kind === 'upsert')
  if (entry?.kind !== 'upsert')
    throw new Error('recorded-core.json has no order: node bench/contracts/main.ts')
  return entry.document
}
