/** A real HTTP server that plays core's `GET /internal/order-feed`: a change log in memory, long polls, a service key. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { findFreePort } from '@merx/local-postgres/free-port'
import type { OrderDocument, OrderFeedEntry } from '@merx/order-feed/order-document'

export const FEED_KEY = 'a key for tests only'

export interface FeedServer {
  readonly url: string
  /** Requests answered so far. */
  readonly requests: readonly { readonly after: string | undefined; readonly waitSeconds: number }[]
  put(...documents: readonly OrderDocument[]): void
  remove(document: OrderDocument, version: number): void
  /** As a database restored from a backup: only these orders, and cursors from before are refused. */
  setBack(documents: readonly OrderDocument[]): void
  /** Says that so many changes are behind every position, as core does while an older transaction holds them back. */
  holdBack(changes: number): void
  /** What the next answers are; undefined answers properly again. */
  misbehave(how: 'status 500' | 'cut off' | 'not a page' | undefined): void
  /** Stops listening and cuts every connection; the log stays. */
  stop(): Promise<void>
  /** Listens again on the same port. */
  start(): Promise<void>
}

interface LeaseBody {
  readonly store: string
  readonly holder: string
  readonly ttl_ms: number
  readonly above: number
  readonly report: object
}

interface Ask {
  readonly after: string | undefined
  readonly limit: number
  readonly waitSeconds: number
}

const keyOf = (entry: OrderFeedEntry): string =>
  entry.kind === 'upsert' ? `${entry.document.mode} ${entry.document.id}` : `${entry.mode} ${entry.id}`

export const openFeedServer = async (): Promise<FeedServer> => {
  /** Each order once, at the position of its last change, as core has it. */
  const log = new Map<string, { readonly position: number; readonly entry: OrderFeedEntry }>()
  const requests: Ask[] = []
  const leases = new Map<string, { holder: string; token: number; report: object; untilMs: number }>()
  const waiting = new Set<() => void>()
  let position = 0
  let history = 0
  let heldBack = 0
  let trouble: Parameters<FeedServer['misbehave']>[0]
  // Not one that the system gives: while this server is stopped, any outgoing connection might be given the same.
  const port = await findFreePort()
  let server: Server | undefined

  const append = (entry: OrderFeedEntry): void => {
    position += 1
    log.delete(keyOf(entry))
    log.set(keyOf(entry), { position, entry })
  }
  const wake = (): void => {
    for (const proceed of [...waiting]) proceed()
  }
  /** Cursors of the first history are `c0`, `c1`, …; of the next `1c0`. */
  const prefix = (): string => (history === 0 ? 'c' : `${history}c`)
  const positionOf = (cursor: string | undefined): number => Number(cursor?.split('c')[1] ?? 0)
  const after = (cursor: string | undefined) => {
    const from = positionOf(cursor)
    return [...log.values()].filter((one) => one.position > from)
  }

  const waitForChange = async (seconds: number, req: IncomingMessage): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const proceed = (): void => {
      resolve(undefined)
    }
    waiting.add(proceed)
    req.socket.once('close', proceed)
    const timer = setTimeout(proceed, seconds * 1000)
    await promise
    clearTimeout(timer)
    waiting.delete(proceed)
  }

  /** As core's, in memory: one holder of each store until it is silent for as long as it asked for. */
  const lease = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { store, holder, ttl_ms, above, report } = (await json(req)) as LeaseBody
    const known = leases.get(store)
    const isFree = known === undefined || known.holder === holder || known.untilMs < performance.now()
    if (isFree) {
      const token = known?.holder === holder ? known.token : Math.max(above, known?.token ?? 0) + 1
      leases.set(store, { holder, token, report, untilMs: performance.now() + ttl_ms })
    }
    const { token = 0, report: last = {} } = leases.get(store) ?? {}
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify({ is_held: isFree && ttl_ms > 0, token, report: last, backlog: heldBack }))
  }

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { searchParams } = new URL(req.url ?? '/', 'http://core')
    const ask = {
      after: searchParams.get('after') ?? undefined,
      limit: Number(searchParams.get('limit')),
      waitSeconds: Number(searchParams.get('wait_seconds')),
    }
    if (req.headers.authorization !== `Bearer ${FEED_KEY}`) return void res.writeHead(401).end('{}')
    if (req.method === 'POST') return lease(req, res)
    requests.push(ask)
    if (trouble === 'status 500') return void res.writeHead(500).end('{}')
    if (trouble === 'not a page')
      return void res.end('{"entries":[{"kind":"guess"}],"cursor":"c1","caught_up":true}')
    if (after(ask.after).length === 0) await waitForChange(ask.waitSeconds, req)
    if (ask.after !== undefined && !ask.after.startsWith(prefix())) return void res.writeHead(400).end('{}')
    const found = after(ask.after)
    const page = found.slice(0, ask.limit)
    const cursor = `${prefix()}${page.at(-1)?.position ?? positionOf(ask.after)}`
    const text = JSON.stringify({
      entries: page.map(({ entry }) => entry),
      cursor,
      caught_up: found.length < ask.limit,
    })
    res.setHeader('Content-Type', 'application/json')
    if (trouble !== 'cut off') return void res.end(text)
    res.setHeader('Content-Length', Buffer.byteLength(text))
    res.write(text.slice(0, text.length / 2), () => req.socket.destroy())
  }

  const start = async (): Promise<void> => {
    const created = createServer((req, res) => void answer(req, res))
    server = created
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    created.once('error', reject)
    created.listen(port, '127.0.0.1', () => {
      resolve(undefined)
    })
    await promise
  }

  const stop = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    server?.close(() => {
      resolve(undefined)
    })
    server?.closeAllConnections()
    wake()
    await promise
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    put: (...documents) => {
      for (const document of documents) append({ kind: 'upsert', document })
      wake()
    },
    remove: ({ organization, mode, id }, version) => {
      append({ kind: 'delete', organization_id: organization.id, mode, id, version })
      wake()
    },
    setBack: (documents) => {
      history += 1
      log.clear()
      for (const document of documents) append({ kind: 'upsert', document })
      wake()
    },
    holdBack: (changes) => {
      heldBack = changes
    },
    misbehave: (how) => {
      trouble = how
      wake()
    },
    stop,
    start,
  }
}
