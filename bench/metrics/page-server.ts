/** Plays core's order feed with pages that were written beforehand, so that it costs next to nothing while it is read. */
import { createServer } from 'node:http'
import { findFreePort } from '@merx/local-postgres/free-port'
import type { OrderDocument } from '@merx/order-feed/order-document'

export interface PageServer {
  readonly url: string
  stop(): Promise<void>
}

const PAGE = 500
const LEASE = JSON.stringify({ is_held: true, token: 1, report: {}, backlog: 0 })

/** As bytes and one after the other, so that many of them burden no heap. */
const toPages = (documents: Iterable<OrderDocument>): readonly Buffer[] => {
  const pages: Buffer[] = []
  let entries: string[] = []
  const finish = (caughtUp: boolean): void => {
    const cursor = `c${pages.length + 1}`
    pages.push(Buffer.from(`{"entries":[${entries.join(',')}],"cursor":"${cursor}","caught_up":${caughtUp}}`))
    entries = []
  }
  for (const document of documents) {
    if (entries.length === PAGE) finish(false)
    entries.push(JSON.stringify({ kind: 'upsert', document }))
  }
  finish(true)
  return pages
}

export const startPageServer = async (documents: Iterable<OrderDocument>): Promise<PageServer> => {
  const pages = toPages(documents)
  const end = JSON.stringify({ entries: [], cursor: `c${pages.length}`, caught_up: true })
  const server = createServer((req, res) => {
    if (req.method === 'POST') return void req.resume().once('end', () => res.end(LEASE))
    const { searchParams } = new URL(req.url ?? '/', 'http://core')
    const page = pages[Number(searchParams.get('after')?.slice(1) ?? 0)]
    if (page !== undefined) res.end(page)
    // Whoever waits for a change after the last page waits for one that never comes.
    else if (searchParams.get('wait_seconds') === '0') res.end(end)
  })
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
