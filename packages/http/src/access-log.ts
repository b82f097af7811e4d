import { prepareLine, type Logger } from '@merx/telemetry/logger'
import { redactText } from '@merx/telemetry/redact'
import type { Request, Response } from 'express'
import { requestIdOf } from './dialect.ts'

const PATH_LENGTH_MAX = 512

/** A request whose response is over. */
export interface Exchange {
  readonly req: Request
  readonly res: Response
  /** From the first byte of the request's head, as far as this process saw it, to the end of the response. */
  readonly ms: number
  /** The caller went away before the whole answer was sent. */
  readonly isAborted: boolean
}

/** Told of every request when its response is over; synchronous, and cheap: it runs for each. */
export type OnAnswered = (exchange: Exchange) => void

const pathOf = ({ originalUrl }: Request): string => {
  const end = originalUrl.indexOf('?')
  return originalUrl.slice(0, Math.min(PATH_LENGTH_MAX, end === -1 ? originalUrl.length : end))
}

/** Most paths hold nothing that JSON escapes. */
const PLAIN = /^[\w/.:-]*$/

const quote = (path: string): string => (PLAIN.test(path) ? `"${path}"` : JSON.stringify(path))

/** A request id is a UUID and a method a token of HTTP, so neither needs escaping. */
const fieldsOf = ({ req, res, ms, isAborted }: Exchange, path: string): string => {
  const { errorCodes, traceId } = res.locals as { errorCodes?: readonly string[]; traceId?: string }
  const trace = traceId === undefined ? '' : `"trace_id":"${traceId}",`
  return (
    `"request_id":"${requestIdOf(res)}",${trace}"method":"${req.method}","path":${quote(redactText(path))}` +
    `,"status":${res.statusCode},"ms":${Math.round(ms * 10) / 10}` +
    (errorCodes === undefined ? '' : `,"error_codes":${JSON.stringify(errorCodes)}`) +
    (isAborted ? ',"is_aborted":true' : '')
  )
}

/**
 * One line a request when its response is over: method, path without the query (queries hold addresses and tokens),
 * status and milliseconds. Health checks are logged at debug.
 *
 * @returns called when a request begins
 */
export const accessLog = (log: Logger, onAnswered?: OnAnswered): ((req: Request, res: Response) => void) => {
  const write = prepareLine(log, 'info', 'request')
  const writeQuietly = prepareLine(log, 'debug', 'request')
  return (req, res) => {
    const startedAt = performance.now()
    const path = pathOf(req)
    res.on('close', () => {
      const exchange = { req, res, ms: performance.now() - startedAt, isAborted: !res.writableFinished }
      const fields = fieldsOf(exchange, path)
      if (path.startsWith('/health/')) writeQuietly(fields)
      else write(fields)
      onAnswered?.(exchange)
    })
  }
}
