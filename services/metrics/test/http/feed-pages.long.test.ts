/** Pages of core's feed over real HTTP: as many orders as fit into an answer, none passed over. */
import { Secret } from '@merx/config/secret'
import { InternalCallError } from '@merx/http/internal-call-error'
import { createInternalClient, type CallOptions, type InternalClient } from '@merx/http/internal-client'
import type { OrderDocument, OrderFeedPage } from '@merx/order-feed/order-document'
import { silentLogger } from '@merx/testing/silent-logger'
import { createFeedSource } from '../../src/ingest/feed-source.ts'
import { troubleOf } from '../../src/ingest/ingest-status.ts'
import { makeDocuments } from '../support/documents.ts'
import { FEED_KEY, openFeedServer, type FeedServer } from '../support/feed-server.ts'

let feed: FeedServer

beforeEach(async () => {
  feed = await openFeedServer()
})

afterEach(async () => {
  await feed.stop()
})

const sourceOf = (answerBytesMax: number) => {
  const key = new Secret(FEED_KEY)
  const options = { url: feed.url, key, timeoutMs: 2_000, log: silentLogger, answerBytesMax }
  return createFeedSource(createInternalClient(options))
}

/** Every page to the end of the feed. */
const readAll = async (answerBytesMax: number): Promise<readonly OrderFeedPage[]> => {
  const source = sourceOf(answerBytesMax)
  const { signal } = new AbortController()
  const pages: OrderFeedPage[] = []
  do {
    const bytes = await source.read({ after: pages.at(-1)?.cursor, waitSeconds: 0, signal })
    pages.push(JSON.parse(new TextDecoder().decode(bytes)) as OrderFeedPage)
  } while (pages.at(-1)?.caught_up !== true)
  return pages
}

const ordersOf = (pages: readonly OrderFeedPage[]): readonly OrderDocument[] =>
  pages.flatMap(({ entries }) => entries.flatMap((one) => (one.kind === 'upsert' ? [one.document] : [])))

const sizeOf = (documents: readonly OrderDocument[]): number =>
  Buffer.byteLength(JSON.stringify(documents.map((document) => ({ kind: 'upsert', document }))))

/** Of `{"entries":…,"cursor":…,"caught_up":…}`, at most. */
const FRAME_BYTES = 100

it('asks for half as many orders until they fit into an answer, and reads every one once', async () => {
  const documents = makeDocuments(1, 1_200)
  feed.put(...documents)
  const pages = await readAll(sizeOf(documents.slice(0, 200)))
  expect(ordersOf(pages)).toEqual(documents)
  const sizes = pages.map(({ entries }) => entries.length)
  expect(Math.max(...sizes)).toBeLessThan(300)
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(60)
})

it('asks for more again after what was large', async () => {
  const documents = makeDocuments(2, 2_000)
  const long = 'a long name '.repeat(40_000)
  const large = documents.slice(0, 8).map((document) => ({
    ...document,
    line_items: document.line_items.map((line) => ({ ...line, name: long })),
  }))
  const all = [...large, ...documents.slice(8)]
  feed.put(...all)
  const pages = await readAll(sizeOf(documents.slice(8, 800)))
  expect(ordersOf(pages)).toEqual(all)
  const sizes = pages.map(({ entries }) => entries.length)
  expect(sizes[0]).toBeLessThan(8)
  expect(Math.max(...sizes)).toBe(500)
})

it('finds the size of a page while other pages are read that fit', async () => {
  const asked: number[] = []
  const core = {
    getBytes: async (_path: string, { query }: CallOptions = {}) => {
      if (query?.['after'] === 'small') return new Uint8Array()
      const limit = Number(query?.['limit'])
      asked.push(limit)
      await source.read({ after: 'small', waitSeconds: 0, signal })
      if (limit > 3 && asked.length < 20)
        throw new InternalCallError('too_large', { method: 'GET', url: '/', explanation: 'too large' })
      return new Uint8Array()
    },
  }
  const source = createFeedSource(core as unknown as InternalClient)
  const { signal } = new AbortController()
  await source.read({ after: undefined, waitSeconds: 0, signal })
  expect(asked).toEqual([500, 250, 125, 62, 31, 15, 7, 3])
})

it('names the limit that one order alone exceeds', async () => {
  const [document] = makeDocuments(3, 1) as [OrderDocument]
  feed.put(document)
  const bytes = sizeOf([document]) + FRAME_BYTES
  expect(ordersOf(await readAll(bytes))).toEqual([document])
  const tooFew = bytes - FRAME_BYTES - 1
  const error = await readAll(tooFew).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ reason: 'too_large' })
  expect((error as Error).message).toContain(`the answer is larger than ${tooFew} bytes`)
  expect(feed.requests.at(-1)).toMatchObject({ limit: 1 })
  expect(troubleOf(error)).toBe('an order is larger than an answer of core may be')
})
