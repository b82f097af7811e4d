/** Refuses what a page of another origin makes a browser send (CSRF), beside SameSite cookies, which look at sites only. */
import { AppError } from '@merx/errors/app-error'
import type { Request, RequestHandler } from 'express'

export const originOf = ({ protocol, host }: Pick<Request, 'protocol' | 'host'>): string =>
  `${protocol}://${host ?? ''}`

const refuse = (): never => {
  throw new AppError('bad_request', {
    detail: 'The request was sent by a page of another origin. Nothing was done.',
  })
}

/** For requests that change something: a browser sends `Origin` with each of them. */
export const requireOwnOrigin: RequestHandler = (req, _res, next) => {
  if (req.get('origin') !== originOf(req)) refuse()
  next()
}

/** For answers that only our own page may see. Browsers say where a request comes from (Fetch Metadata). */
export const refuseOtherSites: RequestHandler = (req, _res, next) => {
  const site = req.get('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') refuse()
  const origin = req.get('origin')
  if (origin !== undefined && origin !== originOf(req)) refuse()
  next()
}
