import type { Response } from 'express'
import type { RecordedAnswer } from './bare-express.ts'

/** Status, headers and body as they were recorded: what every reference answers, so that as many bytes are sent. */
export const sendRecorded = (res: Response, { status, headers, body }: RecordedAnswer): void => {
  res.status(status).set(headers).send(body)
}
