/** The dated address of the interface: what is asked below it is what is asked below /api. */
import type { RequestHandler } from 'express'

/** The one version there is; clients may name it, as in `/api/2017-08/orders`. Links in answers do not. */
export const API_VERSION = '2017-08'

const PREFIX = `/api/${API_VERSION}/`

/** For the front of the app: `/api/2017-08/orders` goes on as `/api/orders`. */
export const withoutVersion: RequestHandler = (req, _res, next) => {
  if (req.url.startsWith(PREFIX)) req.url = `/api/${req.url.slice(PREFIX.length)}`
  next()
}
