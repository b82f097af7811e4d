/** Middleware that reads JSON and form bodies, limited in size and depth, and refuses them with the codes of the service. */
import { parse as parseQuery } from 'node:querystring'
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import type { RequestHandler } from 'express'
import { findContentViolation } from './body-content.ts'
import { createTextReader, type BodyOptions } from './body-text.ts'
import { checkMediaType, hasBody } from './media-type.ts'

/** `accept` lists the media types that are read as JSON. */
export interface JsonBodyOptions extends BodyOptions {
  readonly accept: readonly string[]
  /** Parses the text and throws V8's SyntaxError when it is not JSON. Default `JSON.parse`. */
  readonly parse?: (text: string) => unknown
}

const FORM = 'application/x-www-form-urlencoded'
const FORM_PARAMETERS_MAX = 100
const ESCAPED_BYTES = /(?:%[\da-f]{2})+/gi

/** V8 quotes the text it could not parse; only the position is passed on. */
const placeOf = (error: Error): string => {
  const place = /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0]
  if (place !== undefined) return ` (${place})`
  return /end of JSON input/i.test(error.message) ? ' (it ends too early)' : ''
}

type ParseText = (text: string) => unknown

const parseJson = (text: string, malformed: ErrorCode, parse: ParseText): unknown => {
  if (text === '') return {} // a chunked body of no bytes: nothing was sent
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new AppError(malformed, {
      detail: `The body is not valid JSON${placeOf(error)}.`,
      cause: error,
    })
  }
}

const isOver = (text: string, countMax: number): boolean => {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1 && count <= countMax; at = text.indexOf('&', at + 1)) count += 1
  return count > countMax
}

/** RFC 6749 appendix B: escaped bytes of a form are UTF-8. The parser would replace others by U+FFFD. */
const checkEscapes = (text: string, malformed: ErrorCode): void => {
  try {
    for (const [bytes] of text.matchAll(ESCAPED_BYTES)) decodeURIComponent(bytes)
  } catch (cause) {
    throw new AppError(malformed, { detail: 'The body is not valid UTF-8.', cause })
  }
}

const parseForm = (text: string, malformed: ErrorCode): unknown => {
  checkEscapes(text, malformed)
  if (isOver(text, FORM_PARAMETERS_MAX)) {
    throw new AppError(malformed, { detail: `The form has more than ${FORM_PARAMETERS_MAX} parameters.` })
  }
  return parseQuery(text, '&', '=', { maxKeys: 0 })
}

const checkContent = (body: unknown, malformed: ErrorCode): void => {
  const violation = findContentViolation(body)
  if (violation === undefined) return
  const where = violation.pointer === '' ? 'The body' : violation.pointer
  throw new AppError(malformed, {
    detail: `${where}: ${violation.message}`,
    source: { pointer: violation.pointer },
  })
}

const bodyReader = (
  jsonTypes: readonly string[],
  formTypes: readonly string[],
  options: BodyOptions & Pick<JsonBodyOptions, 'parse'>,
): RequestHandler => {
  const { malformed, parse = JSON.parse as ParseText } = options
  const accept = [...jsonTypes, ...formTypes]
  const readText = createTextReader(options)
  return async (req, res, next) => {
    if (req.headers['content-type'] === undefined && !hasBody(req)) {
      next()
      return
    }
    const { essence } = checkMediaType(req, accept, options.wrongType)
    if (hasBody(req)) {
      const text = await readText(req, res)
      const body = formTypes.includes(essence)
        ? parseForm(text, malformed)
        : parseJson(text, malformed, parse)
      checkContent(body, malformed)
      req.body = body
    }
    next()
  }
}

/**
 * Reads JSON bodies into `req.body`, which stays undefined when there is none. A stated Content-Type outside `accept`,
 * or a body without one, is `wrongType`; bad JSON, NUL, or nesting beyond 32 levels is `malformed`.
 */
export const jsonBody = (options: JsonBodyOptions): RequestHandler => bodyReader(options.accept, [], options)

/** Reads `application/x-www-form-urlencoded`; a repeated parameter becomes an array (RFC 6749 3.2 forbids those). */
export const formBody = (options: BodyOptions): RequestHandler => bodyReader([], [FORM], options)

/** Reads JSON of the `accept` types as well as forms, as the token endpoint does. */
export const jsonOrFormBody = (options: JsonBodyOptions): RequestHandler =>
  bodyReader(options.accept, [FORM], options)
