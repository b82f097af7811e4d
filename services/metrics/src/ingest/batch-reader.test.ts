import { readBatch } from './batch-reader.ts'

interface Page {
  readonly cursor: string
  readonly caughtUp: boolean
  readonly bytes?: number
}

const pagesTo = (count: number, last: Partial<Page> = {}): readonly Page[] =>
  Array.from({ length: count }, (_, at) => ({
    cursor: `c${at + 1}`,
    caughtUp: false,
    ...(at === count - 1 ? last : {}),
  }))

const readFrom = (pages: readonly (Page | Error)[]) => {
  const requests: { readonly after: string | undefined; readonly waitSeconds: number }[] = []
  const deps = {
    feed: {
      read: async ({ after, waitSeconds }: { after: string | undefined; waitSeconds: number }) => {
        const page = pages[requests.length]
        requests.push({ after, waitSeconds })
        if (page === undefined || page instanceof Error) throw page ?? new Error('there is no such page')
        return new Uint8Array(page.bytes ?? 1)
      },
      takeLease: () => Promise.reject(new Error('not used')),
    },
    preparer: {
      prepare: async () => ({
        entries: [],
        poisoned: [],
        cursor: '',
        caughtUp: false,
        ...pages[requests.length - 1],
      }),
      close: async () => undefined,
    },
  }
  const { signal } = new AbortController()
  return { requests, batch: readBatch(deps, { after: 'c0', waitSeconds: 25, signal }) }
}

describe('readBatch', () => {
  it('ends with the page that has nothing after it, and waits for changes only with the first', async () => {
    const { batch, requests } = readFrom(pagesTo(3, { caughtUp: true }))
    expect(await batch).toMatchObject({ cursor: 'c3', caughtUp: true })
    expect(requests).toEqual([
      { after: 'c0', waitSeconds: 25 },
      { after: 'c1', waitSeconds: 0 },
      { after: 'c2', waitSeconds: 0 },
    ])
  })

  it('ends after twelve pages', async () => {
    const { batch } = readFrom(pagesTo(20))
    expect(await batch).toMatchObject({ cursor: 'c12', caughtUp: false })
  })

  it('ends after 24 MB', async () => {
    const { batch } = readFrom(pagesTo(3).map((page) => ({ ...page, bytes: 12_000_000 })))
    expect(await batch).toMatchObject({ cursor: 'c2', caughtUp: false })
  })

  it('returns the pages before one that fails', async () => {
    const { batch } = readFrom([...pagesTo(2), new Error('core is unavailable')])
    expect(await batch).toMatchObject({ cursor: 'c2', caughtUp: false })
  })

  it('throws when the first page fails', async () => {
    await expect(readFrom([new Error('core is unavailable')]).batch).rejects.toThrow('core is unavailable')
  })
})
