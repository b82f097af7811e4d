/** Core's order feed over HTTP, checked against the schema of the order document. */
import type { InternalClient } from '@merx/http/internal-client'
import type { OrderFeedPage } from '@merx/order-feed/order-document'
import { parseOrderFeedPage } from '@merx/order-feed/order-document-schema'

export interface FeedRequest {
  /** The cursor of the last page; undefined reads from the start. */
  readonly after: string | undefined
  /** How long core may wait for a change, 0 to 25. */
  readonly waitSeconds: number
  readonly signal: AbortSignal
}

export interface FeedSource {
  read(request: FeedRequest): Promise<OrderFeedPage>
}

const LIMIT = 500
const ANSWER_TIMEOUT_MS = 20_000

const toPage = (answer: unknown): OrderFeedPage => {
  const result = parseOrderFeedPage(answer)
  if (result.ok) return result.value
  const faults = result.faults.slice(0, 5).map(({ pointer, message }) => `${pointer} ${message}`)
  throw new Error(`the order feed sent what is no page of documents: ${faults.join('; ')}`)
}

/** Throws InternalCallError when core is away or answers what is no page. */
export const createFeedSource = (core: InternalClient): FeedSource => ({
  read: ({ after, waitSeconds, signal }) =>
    core.get('/internal/order-feed', {
      query: { after, limit: LIMIT, wait_seconds: waitSeconds },
      timeoutMs: waitSeconds * 1000 + ANSWER_TIMEOUT_MS,
      signal,
      parse: toPage,
    }),
})
