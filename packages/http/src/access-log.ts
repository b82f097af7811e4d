/** Writes one log line for each request when its response is over. */
import type { Logger } from '@merx/telemetry/logger'
import type { Request, Response } from 'express'
import { streamBeganAt } from './begin-stream.ts'
import { requestIdOf } from './dialect.ts'

const PATH_LENGTH_MAX = 512

/** A request whose response is over. */
export interface Exchange {
  readonly req: Request
  readonly res: Response
  /** From the start of the request, as far as this process saw it, to the end of the response. */
  readonly ms: number
  /** As `ms`; of a stream, to its beginning. */
  readonly answeredMs: number
  /** The caller closed the connection before the whole response was sent; a stream has no whole. */
  readonly isAborted: boolean
}

/** Called for every request when its response is over; synchronous and cheap. */
export type OnAnswered = (exchange: Exchange) => void

const pathOf = ({ originalUrl }: Request): string =>
  originalUrl.slice(0, PATH_LENGTH_MAX).split('?', 1)[0] ?? ''

/** The ids are named here: the response may close outside the context of the request. */
const fieldsOf = ({ req, res, ms, isAborted }: Exchange, path: string) => {
  const { errorCodes, traceId } = res.locals as { errorCodes?: readonly string[]; traceId?: string }
  return {
    request_id: requestIdOf(res),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...{ method: req.method, path, status: res.statusCode, ms: Math.round(ms * 10) / 10 },
    ...(errorCodes === undefined ? {} : { error_codes: errorCodes }),
    ...(isAborted ? { is_aborted: true } : {}),
  }
}

/**
 * Method, path without the query (queries hold addresses and tokens), status and milliseconds. Health checks are logged
 * at debug.
 *
 * @returns called when a request begins
 */
export const accessLog =
  (log: Logger, onAnswered?: OnAnswered): ((req: Request, res: Response) => void) =>
  (req, res) => {
    const startedAt = performance.now()
    const path = pathOf(req)
    const level = path.startsWith('/health/') ? 'debug' : 'info'
    res.on('close', () => {
      const ms = performance.now() - startedAt
      const beganAt = streamBeganAt(res)
      const exchange: Exchange =
        beganAt === undefined
          ? { req, res, ms, answeredMs: ms, isAborted: !res.writableFinished }
          : { req, res, ms, answeredMs: beganAt - startedAt, isAborted: false }
      log[level](fieldsOf(exchange, path), 'request')
      onAnswered?.(exchange)
    })
  }
