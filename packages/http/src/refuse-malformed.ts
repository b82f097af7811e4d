/** Refuses requests that are not valid HTTP although Node could parse them. */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { Request, RequestHandler } from 'express'
import { isHost } from './host.ts'

export interface RefuseMalformedOptions {
  readonly malformed: ErrorCode
  /**
   * A path that is not valid percent-encoding is `malformed`, or `unknown`: left to routes without parameters, which
   * match no such path. Default `malformed`.
   */
  readonly undecodablePaths?: 'malformed' | 'unknown' | undefined
}

const isDecodable = (url: string): boolean => {
  if (!url.includes('%')) return true // the HTTP parser lets no control character through
  try {
    return !decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '').includes('\0')
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/** With two hosts or two tokens, servers differ in which one they use; Node silently keeps the first. */
const repeatedHeader = ({ rawHeaders }: Request): 'Host' | 'Authorization' | undefined => {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const isRepeated = (wanted: string): boolean => names.indexOf(wanted) !== names.lastIndexOf(wanted)
  if (isRepeated('host')) return 'Host'
  return isRepeated('authorization') ? 'Authorization' : undefined
}

/**
 * RFC 9112 3.2: a missing, repeated or malformed Host is answered with 400. The server leaves that to this function, so
 * that the answer has a body. RFC 9110 5.3: a field whose value is not a list must not be repeated.
 */
const violationOf = (req: Request, { malformed, undecodablePaths }: RefuseMalformedOptions) => {
  const { host } = req.headers
  const aboutHeader = (header: string, detail: string) =>
    new AppError(malformed, { detail, source: { header } })
  if (host === undefined && req.httpVersion !== '1.0')
    return aboutHeader('Host', 'The Host header is missing.')
  const repeated = repeatedHeader(req)
  if (repeated !== undefined) {
    return aboutHeader(repeated, `The ${repeated} header occurs more than once; allowed: one.`)
  }
  if (host !== undefined && !isHost(host)) {
    return aboutHeader(
      'Host',
      'The Host header is not a name or an address, with a port or without, such as localhost:8080.',
    )
  }
  if (undecodablePaths !== 'unknown' && !isDecodable(req.url)) {
    return new AppError(malformed, {
      detail: 'The path is not valid percent-encoded UTF-8; write a literal percent sign as %25.',
    })
  }
  return undefined
}

export const refuseMalformed =
  (options: RefuseMalformedOptions): RequestHandler =>
  (req, _res, next) => {
    next(violationOf(req, options))
  }
