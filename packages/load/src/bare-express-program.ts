/** The process of startBareExpress. */
import type { Express } from 'express'
import type { RecordedAnswer } from './bare-express.ts'
import { runAsTarget } from './run-as-target.ts'
import { serveApp } from './serve-app.ts'

const answerWith = (app: Express, { method, path, status, headers, body }: RecordedAnswer): void => {
  const register = method.toLowerCase() as Lowercase<RecordedAnswer['method']>
  app[register](path, (_req, res) => {
    res.status(status).set(headers).send(body)
  })
}

runAsTarget(async (answers: readonly RecordedAnswer[]) => ({
  facts: {},
  ...(await serveApp((app) => {
    for (const answer of answers) answerWith(app, answer)
  })),
}))
