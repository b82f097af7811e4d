import type { Logger } from '@merx/telemetry/logger'
import type { RequestHandler } from 'express'

const PATH_LENGTH_MAX = 512

/**
 * One line a request when its response is over: method, path without the query (queries hold addresses and tokens),
 * status and milliseconds. Health checks are logged at debug.
 */
export const accessLog =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const startedAt = performance.now()
    const { method } = req
    const path = req.originalUrl.split('?', 1)[0]?.slice(0, PATH_LENGTH_MAX) ?? ''
    res.once('close', () => {
      const { errorCodes } = res.locals as { errorCodes?: readonly string[] }
      const line = {
        method,
        path,
        status: res.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(errorCodes === undefined ? {} : { error_codes: errorCodes }),
        ...(res.writableFinished ? {} : { is_aborted: true }),
      }
      log[path.startsWith('/health/') ? 'debug' : 'info'](line, 'request')
    })
    next()
  }
