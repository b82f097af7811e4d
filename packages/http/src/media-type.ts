/** Checks the media type that a request declares for its body (RFC 9110 8.3). */
import { MIMEType } from 'node:util'
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Request, RequestHandler } from 'express'

/** `essence` is type/subtype in lower case; `charset` in lower case, undefined when not stated. */
export interface MediaType {
  readonly essence: string
  readonly charset: string | undefined
}

/** The media type in a Content-Type header; undefined when the header is absent or malformed. */
export const parseMediaType = (header = ''): MediaType | undefined => {
  try {
    const { essence, params } = new MIMEType(header)
    return { essence, charset: params.get('charset')?.toLowerCase() }
  } catch {
    return undefined // MIMEType throws on malformed input only; the caller names what is allowed
  }
}

/** Whether the request carries body bytes (RFC 9112 6.3). */
export const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

/** JSON is UTF-8 (RFC 8259 8.1) and forms are too (WHATWG URL 5); US-ASCII is a part of it. */
const CHARSETS: ReadonlySet<string | undefined> = new Set([undefined, 'utf-8', 'utf8', 'us-ascii'])

/** Throws `code`, naming what was sent and what is allowed, unless the Content-Type is one of `accept` in UTF-8. */
export const checkMediaType = (req: Request, accept: readonly string[], code: ErrorCode): MediaType => {
  const header = req.headers['content-type']
  const mediaType = parseMediaType(header)
  const source = { header: 'Content-Type' }
  if (mediaType === undefined || !accept.includes(mediaType.essence)) {
    const given =
      header === undefined
        ? 'The Content-Type header is missing'
        : `"${header.slice(0, 100)}" is not supported`
    throw new AppError(code, { detail: `${given}; allowed: ${accept.join(', ')}`, source })
  }
  if (!CHARSETS.has(mediaType.charset)) {
    throw new AppError(code, {
      detail: `the charset "${mediaType.charset}" is not supported; allowed: utf-8`,
      source,
    })
  }
  return mediaType
}

/** Refuses every request without one of these Content-Types, whether or not it has a body. */
export const requireMediaType =
  (accept: readonly string[], wrongType: ErrorCode): RequestHandler =>
  (req, _res, next) => {
    checkMediaType(req, accept, wrongType)
    next()
  }
