/** Reads pages of the feed after a cursor and puts them together to one batch: larger batches are fewer parts for the engine. */
import { toBatch, type Batch } from './batch.ts'
import type { FeedSource } from './feed-source.ts'
import type { PagePreparer } from './page-preparer.ts'
import type { PreparedPage } from './prepare-page.ts'

export interface BatchReaderDeps {
  readonly feed: FeedSource
  readonly preparer: PagePreparer
}

export interface BatchRequest {
  readonly after: string | undefined
  /** How long core may wait for a change before it answers with an empty page. */
  readonly waitSeconds: number
  readonly signal: AbortSignal
}

/** Of up to 500 documents each. */
const PAGES_MAX = 12
/** A page may be 32 MiB; 12 pages of orders with three lines are 24 MB. */
const BYTES_MAX = 24_000_000
/** How long pages may wait for others while core is slow. */
const PATIENCE_MS = 1_000

/** Ends with the page that says that nothing is left. Throws only when the first page fails; a later one is left to the next batch. */
export const readBatch = async (
  { feed, preparer }: BatchReaderDeps,
  { after, waitSeconds, signal }: BatchRequest,
): Promise<Batch> => {
  const startedAtMs = performance.now()
  const pages: PreparedPage[] = []
  let size = 0
  const isComplete = (): boolean =>
    pages.at(-1)?.caughtUp === true ||
    pages.length === PAGES_MAX ||
    size >= BYTES_MAX ||
    (pages.length > 0 && performance.now() - startedAtMs >= PATIENCE_MS)
  while (!isComplete()) {
    try {
      const isFirst = pages.length === 0
      const cursor = isFirst ? after : pages.at(-1)?.cursor
      const bytes = await feed.read({ after: cursor, waitSeconds: isFirst ? waitSeconds : 0, signal })
      size += bytes.length
      pages.push(await preparer.prepare(bytes))
    } catch (error) {
      if (pages.length === 0) throw error
      break
    }
  }
  return toBatch(pages)
}
