/** The process of startBareExpress. */
import type { Express } from 'express'
import type { RecordedAnswer } from './bare-express.ts'
import { runAsTarget } from './run-as-target.ts'
import { sendRecorded } from './send-recorded.ts'
import { serveApp } from './serve-app.ts'

const answerWith = (app: Express, answer: RecordedAnswer): void => {
  const register = answer.method.toLowerCase() as Lowercase<RecordedAnswer['method']>
  app[register](answer.path, (_req, res) => sendRecorded(res, answer))
}

runAsTarget(async (answers: readonly RecordedAnswer[]) => ({
  facts: {},
  ...(await serveApp((app) => {
    for (const answer of answers) answerWith(app, answer)
  })),
}))
