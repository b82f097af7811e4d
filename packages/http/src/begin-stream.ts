/** Begins an answer that goes on until one side ends it, such as server-sent events. */
import type { Response } from 'express'

interface StreamLocals {
  streamBeganAt?: number
}

/** Sends the headers. No proxy may keep what is sent: X-Accel-Buffering is nginx's word for it. */
export const beginStream = (res: Response, mediaType: string): void => {
  res.status(200)
  res.setHeader('Content-Type', mediaType)
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('X-Accel-Buffering', 'no')
  const locals = res.locals as StreamLocals
  locals.streamBeganAt = performance.now()
  res.flushHeaders()
}

/** By performance.now(); undefined for an answer that is none. */
export const streamBeganAt = (res: Response): number | undefined => (res.locals as StreamLocals).streamBeganAt
