import type { OrderFeedPage } from '@merx/order-feed/order-document'
import type { FeedRequest } from './feed-source.ts'
import { createReadAhead } from './read-ahead.ts'

const page = (cursor: string, isLast = false): OrderFeedPage => ({ entries: [], cursor, caught_up: isLast })

/** A feed that notes what it is asked and answers with the pages given. */
const feedOf = (pages: Readonly<Record<string, OrderFeedPage | Error>>) => {
  const asked: Omit<FeedRequest, 'signal'>[] = []
  const read = async ({ after, waitSeconds }: FeedRequest): Promise<OrderFeedPage> => {
    asked.push({ after, waitSeconds })
    const found = pages[after ?? 'start']
    if (found instanceof Error || found === undefined) throw found ?? new Error('no such page')
    return found
  }
  return { asked, ahead: createReadAhead({ read }, new AbortController().signal) }
}

describe('reading ahead', () => {
  it('asks for the next page once, before it is wanted', async () => {
    const { asked, ahead } = feedOf({ start: page('a'), a: page('b') })
    ahead.follow(await ahead.read(undefined, 0))
    expect(asked).toEqual([
      { after: undefined, waitSeconds: 0 },
      { after: 'a', waitSeconds: 0 },
    ])
    await expect(ahead.read('a', 0)).resolves.toEqual(page('b'))
    expect(asked).toHaveLength(2)
  })

  it('asks for nothing after the last page', async () => {
    const { asked, ahead } = feedOf({ start: page('a', true) })
    ahead.follow(await ahead.read(undefined, 0))
    expect(asked).toHaveLength(1)
  })

  it('never gives a page that follows another cursor', async () => {
    const { ahead } = feedOf({ start: page('a'), a: page('b'), z: page('y') })
    ahead.follow(await ahead.read(undefined, 0))
    await expect(ahead.read('z', 0)).resolves.toEqual(page('y'))
  })

  it('throws the failure of the page asked ahead where that page is read, and only once', async () => {
    const pages: Record<string, OrderFeedPage | Error> = { start: page('a'), a: new Error('core is away') }
    const { ahead } = feedOf(pages)
    ahead.follow(await ahead.read(undefined, 0))
    await expect(ahead.read('a', 0)).rejects.toThrow('core is away')
    pages['a'] = page('b')
    await expect(ahead.read('a', 0)).resolves.toEqual(page('b'))
  })

  it('forgets what it asked for', async () => {
    const pages: Record<string, OrderFeedPage> = { start: page('a'), a: page('old') }
    const { ahead } = feedOf(pages)
    ahead.follow(await ahead.read(undefined, 0))
    ahead.forget()
    pages['a'] = page('new')
    await expect(ahead.read('a', 0)).resolves.toEqual(page('new'))
  })
})
