/** Request bodies: JSON and forms, limited in size and depth, refused with the codes of the service. */
import { AppError } from '@merx/errors/app-error'
import type { ErrorCode } from '@merx/errors/catalogue'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { findContentFault } from './body-content.ts'
import { checkMediaType, hasBody } from './media-type.ts'

/** `limitBytes` bounds the body after decompression. */
export interface BodyOptions {
  readonly limitBytes: number
  readonly wrongType: ErrorCode
  readonly malformed: ErrorCode
  readonly tooLarge: ErrorCode
}

/** `accept` lists the media types that are read as JSON. */
export interface JsonBodyOptions extends BodyOptions {
  readonly accept: readonly string[]
}

const FORM = 'application/x-www-form-urlencoded'
const FORM_PARAMETERS_MAX = 100

/** A body over the limit is read to its end so that the client sees the answer, but no further than this. */
const DISCARDED_BYTES_MAX = 16_777_216

const tooLarge = (options: BodyOptions, headers: Readonly<Record<string, string>> = {}): AppError =>
  new AppError(options.tooLarge, {
    detail: `The body is larger than ${options.limitBytes} bytes.`,
    headers: { ...headers },
  })

/** Calls `refuse` once more bytes are announced, or have come, than are worth discarding. */
const watchLength = (req: Request, { limitBytes }: BodyOptions, refuse: () => void): void => {
  const most = limitBytes + DISCARDED_BYTES_MAX
  let seen = 0
  if (Number(req.headers['content-length'] ?? 0) > most) refuse()
  req.on('data', (chunk: Buffer) => {
    seen += chunk.length
    if (seen > most) refuse()
  })
}

/** body-parser names its faults in `type`; a broken compressed body has only the status (body-parser README). */
const toBodyError = (error: unknown, options: BodyOptions): unknown => {
  if (
    !(error instanceof Error) ||
    !('status' in error) ||
    typeof error.status !== 'number' ||
    error.status >= 500
  ) {
    return error
  }
  const type = 'type' in error ? error.type : undefined
  switch (type) {
    case 'entity.too.large':
      return tooLarge(options)
    case 'parameters.too.many':
      return new AppError(options.malformed, {
        detail: `The form has more than ${FORM_PARAMETERS_MAX} parameters.`,
      })
    case 'encoding.unsupported':
      return new AppError(options.wrongType, {
        detail: 'The Content-Encoding is not supported; allowed: gzip, deflate, br, identity',
        source: { header: 'Content-Encoding' },
      })
    case 'charset.unsupported':
      return new AppError(options.wrongType, { detail: 'The charset is not supported; allowed: utf-8' })
    case 'entity.parse.failed':
      return new AppError(options.malformed, {
        detail: `The body is not valid JSON${placeOf(error)}.`,
        cause: error,
      })
    default:
      return new AppError(options.malformed, { detail: 'The body could not be read.', cause: error })
  }
}

/** V8 quotes the text it stumbled on; only the place is passed on. */
const placeOf = (error: Error): string => {
  const place = /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0]
  if (place !== undefined) return ` (${place})`
  return /end of JSON input/i.test(error.message) ? ' (it ends too early)' : ''
}

const checkContent = (body: unknown, malformed: ErrorCode): void => {
  const fault = findContentFault(body)
  if (fault === undefined) return
  const where = fault.pointer === '' ? 'The body' : fault.pointer
  throw new AppError(malformed, { detail: `${where}: ${fault.message}`, source: { pointer: fault.pointer } })
}

const read = async (
  parse: RequestHandler,
  req: Request,
  res: Response,
  options: BodyOptions,
): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  watchLength(req, options, () => {
    reject(tooLarge(options, { Connection: 'close' }))
  })
  await parse(req, res, (error?: unknown) => {
    if (error === undefined) resolve(undefined)
    else reject(toBodyError(error, options))
  })
  await promise
  checkContent(req.body, options.malformed)
}

const parsersOf = ({ limitBytes }: BodyOptions) => {
  const shared = { limit: limitBytes, type: () => true, inflate: true }
  return {
    json: express.json({ ...shared, strict: false }),
    form: express.urlencoded({ ...shared, extended: false, parameterLimit: FORM_PARAMETERS_MAX }),
  }
}

const bodyReader = (
  jsonTypes: readonly string[],
  formTypes: readonly string[],
  options: BodyOptions,
): RequestHandler => {
  const { json, form } = parsersOf(options)
  const accept = [...jsonTypes, ...formTypes]
  return async (req, res, next) => {
    if (req.get('content-type') === undefined && !hasBody(req)) {
      next()
      return
    }
    const { essence } = checkMediaType(req, accept, options.wrongType)
    if (hasBody(req)) await read(formTypes.includes(essence) ? form : json, req, res, options)
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
