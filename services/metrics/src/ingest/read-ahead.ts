/** Pages of the feed in order, the next one asked for while the one in hand is stored: core and the store work at once. */
import type { OrderFeedPage } from '@merx/order-feed/order-document'
import type { FeedSource } from './feed-source.ts'

export interface ReadAhead {
  /** The page after the cursor: the one asked for ahead when it follows the same cursor, else a fresh one. */
  read(after: string | undefined, waitSeconds: number): Promise<OrderFeedPage>
  /** Begins to read what follows the page, unless there is nothing more. */
  follow(page: OrderFeedPage): void
  /** Drops what was asked for ahead. */
  forget(): void
}

export const createReadAhead = (feed: FeedSource, signal: AbortSignal): ReadAhead => {
  let ahead: { readonly after: string; readonly page: Promise<OrderFeedPage> } | undefined
  return {
    read: (after, waitSeconds) => {
      const asked = ahead?.after === after ? ahead?.page : undefined
      ahead = undefined
      return asked ?? feed.read({ after, waitSeconds, signal })
    },
    follow: ({ cursor: after, caught_up: isLast }) => {
      if (isLast) return
      const page = feed.read({ after, waitSeconds: 0, signal })
      page.catch(() => undefined) // thrown where the page is read; it may never be
      ahead = { after, page }
    },
    forget: () => {
      ahead = undefined
    },
  }
}
