/** Request → the bytes of its body, decompressed, within a limit. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Request } from 'express'

/** `limitBytes` bounds the body as sent, and after decompression. */
export interface BodyOptions {
  readonly limitBytes: number
  readonly wrongType: ErrorCode
  readonly malformed: ErrorCode
  readonly tooLarge: ErrorCode
}

/** A body over the limit is read to its end so that the client sees the answer, but no further than this. */
const DISCARDED_BYTES_MAX = 16_777_216

const DECOMPRESS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

const ENCODINGS = [...Object.keys(DECOMPRESS), 'identity'].join(', ')

const tooLarge = (options: BodyOptions, headers: Readonly<Record<string, string>> = {}): AppError =>
  new AppError(options.tooLarge, {
    detail: `The body is larger than ${options.limitBytes} bytes.`,
    headers: { ...headers },
  })

const unreadable = ({ malformed }: BodyOptions, cause: unknown): AppError =>
  new AppError(malformed, { detail: 'The body could not be read.', cause })

/** Collects what comes in pieces; what is beyond the limit is let go of, and refused at its end. */
const collect = (req: Request, options: BodyOptions): Promise<Buffer> => {
  const { limitBytes } = options
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let chunks: Buffer[] = []
  let seen = 0
  let isWhole = false
  const refuseAtOnce = (): void => reject(tooLarge(options, { Connection: 'close' }))
  if (Number(req.headers['content-length'] ?? 0) > limitBytes + DISCARDED_BYTES_MAX) refuseAtOnce()
  req.on('data', (chunk: Buffer) => {
    seen += chunk.length
    if (seen <= limitBytes) chunks.push(chunk)
    else chunks = []
    if (seen > limitBytes + DISCARDED_BYTES_MAX) refuseAtOnce()
  })
  req.once('end', () => {
    isWhole = true
    if (seen > limitBytes) reject(tooLarge(options))
    else resolve(Buffer.concat(chunks, seen))
  })
  req.once('error', (error) => reject(unreadable(options, error)))
  req.once('close', () => {
    if (!isWhole) reject(unreadable(options, 'the connection ended before the body'))
  })
  return promise
}

/** All of it, when it came in one packet with the head, as small bodies do: without a listener for each event. */
const takeWhole = (req: Request, limitBytes: number): Buffer | undefined => {
  const length = Number(req.headers['content-length'] ?? NaN)
  if (!(length <= limitBytes) || req.readableLength !== length) return undefined
  const bytes = req.read(length) as Buffer | null
  req.resume() // to its end
  return bytes ?? undefined
}

const bytesOf = async (req: Request, options: BodyOptions): Promise<Buffer> => {
  await Promise.resolve() // the parser hands over what follows the head in a packet after the head was served
  return takeWhole(req, options.limitBytes) ?? collect(req, options)
}

const decompress = async (
  bytes: Buffer,
  encoding: keyof typeof DECOMPRESS,
  options: BodyOptions,
): Promise<Buffer> => {
  try {
    return await DECOMPRESS[encoding](bytes, { maxOutputLength: options.limitBytes })
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge ? tooLarge(options) : unreadable(options, error)
  }
}

const isKnown = (encoding: string): encoding is keyof typeof DECOMPRESS => Object.hasOwn(DECOMPRESS, encoding)

/** @throws AppError of the codes in `options`: too large, an unknown Content-Encoding, or cut off */
export const readBody = async (req: Request, options: BodyOptions): Promise<Buffer> => {
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return await bytesOf(req, options) // given back unawaited it would take two turns more
  if (!isKnown(encoding)) {
    throw new AppError(options.wrongType, {
      detail: `The Content-Encoding is not supported; allowed: ${ENCODINGS}`,
      source: { header: 'Content-Encoding' },
    })
  }
  return decompress(await bytesOf(req, options), encoding, options)
}
