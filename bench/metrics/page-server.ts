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

const toPages = (documents: readonly OrderDocument[]): readonly string[] =>
  Array.from({ length: Math.ceil(documents.length / PAGE) }, (_, index) => {
    const part = documents.slice(index * PAGE, (index + 1) * PAGE)
    return JSON.stringify({
      entries: part.map((document) => ({ kind: 'upsert', document })),
      cursor: `c${index + 1}`,
      caught_up: (index + 1) * PAGE >= documents.length,
    })
  })

export const startPageServer = async (documents: readonly OrderDocument[]): Promise<PageServer> => {
  const pages = toPages(documents)
  const server = createServer((req, res) => {
    if (req.method === 'POST') return void req.resume().once('end', () => res.end(LEASE))
    const after = new URL(req.url ?? '/', 'http://core').searchParams.get('after')
    const page = pages[Number(after?.slice(1) ?? 0)]
    // After the last page the answer waits for a change that never comes.
    if (page !== undefined) res.end(page)
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
