/** Reads the text of a request body with Express, decompressed, limited in size, and strictly as UTF-8. */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import express, { type Request, type Response } from 'express'

/** `limitBytes` bounds the body after decompression. */
export interface BodyOptions {
  readonly limitBytes: number
  readonly wrongType: ErrorCode
  readonly malformed: ErrorCode
  readonly tooLarge: ErrorCode
}

/** Express reads a body over the limit to its end, so that the client sees the answer; this is where that stops. */
const DISCARDED_BYTES_MAX = 16_777_216
const ENCODINGS = ['gzip', 'deflate', 'br', 'identity']
/** Removes the byte order mark that some editors write. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

const tooLarge = (options: BodyOptions, headers: Readonly<Record<string, string>> = {}): AppError =>
  new AppError(options.tooLarge, { detail: `The body is larger than ${options.limitBytes} bytes.`, headers })

const unreadable = ({ malformed }: BodyOptions, cause: unknown): AppError =>
  new AppError(malformed, { detail: 'The body could not be read.', cause })

const checkEncoding = (req: Request, { wrongType }: BodyOptions): void => {
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (ENCODINGS.includes(encoding)) return
  throw new AppError(wrongType, {
    detail: `The Content-Encoding is not supported; allowed: ${ENCODINGS.join(', ')}`,
    source: { header: 'Content-Encoding' },
  })
}

/** Calls `refuse` for a body that is too large to be read to its end. */
const watchLength = (req: Request, { limitBytes }: BodyOptions, refuse: () => void): void => {
  const bytesMax = limitBytes + DISCARDED_BYTES_MAX
  let received = 0
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) refuse()
  req.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > bytesMax) refuse()
  })
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'entity.too.large'

const decode = (bytes: Buffer, { malformed }: BodyOptions): string => {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new AppError(malformed, { detail: 'The body is not valid UTF-8.', cause })
  }
}

/** Text of a body. @throws AppError of the codes in `options` */
export type ReadText = (req: Request, res: Response) => Promise<string>

export const createTextReader = (options: BodyOptions): ReadText => {
  const readBytes = express.raw({ type: () => true, limit: options.limitBytes })
  return async (req, res) => {
    checkEncoding(req, options)
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    watchLength(req, options, () => reject(tooLarge(options, { Connection: 'close' })))
    readBytes(req, res, (error?: unknown) => {
      const body: unknown = req.body
      if (error === undefined && Buffer.isBuffer(body)) resolve(body)
      else reject(isTooLarge(error) ? tooLarge(options) : unreadable(options, error))
    })
    const bytes = await promise
    req.body = undefined // no handler may take bytes for a parsed body
    return decode(bytes, options)
  }
}
