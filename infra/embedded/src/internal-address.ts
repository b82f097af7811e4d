/** An internal address that exists before the service behind it does: the services need each other's addresses. */
import type { RequestListener } from 'node:http'
import { listen } from '@merx/http/listen'
import { findFreePort } from '@merx/local-postgres/free-port'

export interface InternalAddress {
  readonly url: string
  serve(handler: RequestListener): void
  close(): Promise<void>
}

const DRAIN_TIMEOUT_MS = 2_000

/** On a free port of this machine only. Until something is served, every request gets 503. */
export const openInternalAddress = async (avoidPorts: ReadonlySet<number>): Promise<InternalAddress> => {
  let target: RequestListener = (_req, res) => {
    res.writeHead(503, { 'retry-after': '1' }).end()
  }
  const listening = await listen((req, res) => target(req, res), {
    host: '127.0.0.1',
    port: await findFreePort(avoidPorts),
    drainTimeoutMs: DRAIN_TIMEOUT_MS,
  })
  return {
    url: listening.url,
    serve: (handler) => {
      target = handler
    },
    close: () => listening.close(),
  }
}
