/** The process of startBareExpress. */
import { once } from 'node:events'
import { findFreePort } from '@merx/local-postgres/free-port'
import express from 'express'
import type { RecordedAnswer } from './bare-express.ts'
import { runAsTarget } from './run-as-target.ts'

runAsTarget(async (answers: readonly RecordedAnswer[]) => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  for (const { method, path, status, headers, body } of answers) {
    const register = method.toLowerCase() as Lowercase<RecordedAnswer['method']>
    app[register](path, (_req, res) => {
      res.status(status).set(headers).send(body)
    })
  }
  const port = await findFreePort()
  const server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    facts: {},
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
})
