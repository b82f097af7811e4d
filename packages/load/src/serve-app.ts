/** An Express application of a target that stands in for something, on a free port of 127.0.0.1. */
import { once } from 'node:events'
import { findFreePort } from '@merx/local-postgres/free-port'
import express, { type Express } from 'express'

/** @example runAsTarget(async () => ({ facts: {}, ...(await serveApp((app) => app.get('/', answer))) })) */
export const serveApp = async (
  addRoutes: (app: Express) => unknown,
): Promise<{ url: string; close: () => Promise<void> }> => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  addRoutes(app)
  const port = await findFreePort()
  const server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
