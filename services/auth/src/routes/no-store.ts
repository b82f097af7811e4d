import type { RequestHandler } from 'express'

/** RFC 6749 5.1: answers with tokens are never stored by a cache. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Pragma', 'no-cache')
  next()
}
