import { createHash, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@merx/config/secret'
import { AppError } from '@merx/errors/app-error'
import type { RequestHandler } from 'express'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Lets only calls with `Authorization: Bearer <key>` through; else 401 service_key_not_valid. Digests are compared, so
 * that neither the key nor its length can be found out by timing.
 */
export const requireServiceKey = (key: Secret): RequestHandler => {
  const expected = digest(key.reveal())
  return (req, _res, next) => {
    const given = /^Bearer +(\S(?:.*\S)?) *$/i.exec(req.get('authorization') ?? '')?.[1]
    if (given === undefined || !timingSafeEqual(digest(given), expected)) {
      throw new AppError('service_key_not_valid', {
        source: { header: 'Authorization' },
        headers: { 'WWW-Authenticate': 'Bearer realm="internal"' },
      })
    }
    next()
  }
}
