/** Answers to what never became a request: broken HTTP, headers too large, headers too slow. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import { encodeJsonApi } from '@merx/errors/encode-json-api'
import type { ErrorEncoder } from '@merx/errors/error-encoder'

/** The encoder and the codes of a dialect for errors below HTTP. */
export interface RawErrorCodes {
  readonly encodeError: ErrorEncoder
  readonly malformed: ErrorCode
  readonly headersTooLarge: ErrorCode
  readonly timeout: ErrorCode
}

/** Chosen by the target of the request line; it is undefined when that could not be read. */
export type RawErrorsByTarget = (target: string | undefined) => RawErrorCodes

/** One dialect for all, or one for each target. */
export type RawErrors = RawErrorCodes | RawErrorsByTarget

const jsonApi: RawErrorCodes = {
  encodeError: encodeJsonApi,
  malformed: 'bad_request',
  headersTooLarge: 'headers_too_large',
  timeout: 'request_timeout',
}

const codesOf = (errors: RawErrors, target: string | undefined): RawErrorCodes =>
  typeof errors === 'function' ? errors(target) : errors

/** Enough of a packet to know what was asked for. */
const REQUEST_LINE_BYTES = 1_024

/**
 * The target of the request line that a packet begins with. The packet that was refused may be a later one of the
 * request, in which there is none.
 */
const targetOf = (packet: Buffer | undefined): string | undefined =>
  /^[!-~]+ ([!-~]+)/.exec(packet?.toString('latin1', 0, REQUEST_LINE_BYTES) ?? '')?.[1]

const toAppError = (nodeCode: string | undefined, codes: RawErrorCodes): AppError => {
  switch (nodeCode) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(codes.headersTooLarge)
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError(codes.timeout)
    default:
      return new AppError(codes.malformed, { detail: 'This is not a valid HTTP/1.1 request.' })
  }
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The connection ends with the answer, its state being unknown. */
const answerTo = (error: AppError, encodeError: ErrorEncoder): Answer => {
  const requestId = randomUUID()
  const { status, contentType, headers, body } = encodeError([error], { requestId })
  const text = JSON.stringify(body)
  const own = {
    'Content-Type': contentType,
    'Content-Length': String(Buffer.byteLength(text)),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    Connection: 'close',
  }
  return { status, headers: { ...headers, ...own }, text }
}

const render = ({ status, headers, text }: Answer): string => {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

/** Answers a request whose target is neither a path nor an http URL. */
export const answerBadTarget = (response: ServerResponse, errors: RawErrors = jsonApi): void => {
  const codes = codesOf(errors, undefined)
  const detail = 'The request target must be a path, such as /api/skus, or an http URL.'
  const { status, headers, text } = answerTo(new AppError(codes.malformed, { detail }), codes.encodeError)
  response.writeHead(status, headers).end(text)
}

const LINGER_MS = 1_000

const endWith = (error: AppError, encodeError: ErrorEncoder, socket: Duplex): void => {
  socket.end(render(answerTo(error, encodeError)))
  socket.resume() // closing with unread bytes would reset the connection before the answer is read
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Listener of a server's `connect`: no tunnels here; Node would hang up without a word. */
export const answerConnect =
  (errors: RawErrors = jsonApi) =>
  (_request: unknown, socket: Duplex): void => {
    const codes = codesOf(errors, undefined) // a tunnel has no path
    socket.on('error', () => socket.destroy())
    endWith(
      new AppError(codes.malformed, { detail: 'The method CONNECT is not allowed.' }),
      codes.encodeError,
      socket,
    )
  }

/**
 * Listener of a server's `clientError`. `isAnswering` tells whether a response is under way on that connection: then
 * nothing can be added to it and the connection is cut.
 */
export const answerClientError =
  (isAnswering: (socket: Duplex) => boolean, errors: RawErrors = jsonApi) =>
  (error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const codes = codesOf(errors, targetOf(error.rawPacket))
    endWith(toAppError(error.code, codes), codes.encodeError, socket)
  }
