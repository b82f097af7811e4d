/** What a service receives from auth about tokens, over real HTTP: nothing was ever revoked. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccessStateDocument } from '@merx/access-token/access-state-document'

const NOTHING: AccessStateDocument = { version: 1, revocations: [], roles: [] }

export interface AccessStateServer {
  /** For AUTH_INTERNAL_URL. */
  readonly url: string
  /** Until then every question is answered 503, as while auth starts. */
  tell(): void
  close(): Promise<void>
}

/** Answers with the whole state at once; a later request waits for ever, because nothing changes. */
export const startAccessStateServer = async (): Promise<AccessStateServer> => {
  let isTelling = false
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://auth')
    if (!isTelling || pathname !== '/internal/access-state') res.writeHead(503).end()
    else if (!searchParams.has('after')) {
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(NOTHING))
    }
  })
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.listen(0, '127.0.0.1', () => resolve(undefined))
  await promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell: () => {
      isTelling = true
    },
    close: async () => {
      const closed = Promise.withResolvers<undefined>()
      server.close(() => closed.resolve(undefined))
      server.closeAllConnections()
      await closed.promise
    },
  }
}
