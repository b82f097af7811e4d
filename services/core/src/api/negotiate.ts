/** Middleware that checks every request before its handler: length of the URL, media types, body. */
import { checkAll } from '@merx/errors/check-all'
import { jsonBody } from '@merx/http/json-body'
import { parseExactJson } from '@merx/jsonapi/exact-json'
import { checkAccept, checkContentType, JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import { checkUrlLength } from '@merx/jsonapi/parse-query'
import type { RequestHandler } from 'express'

export const BODY_BYTES_MAX = 1_048_576

export const limitUrl: RequestHandler = (req, _res, next) => {
  checkUrlLength(req.originalUrl)
  next()
}

/** Methods that bring a document; a body of any other is ignored, and so is what is said of it. */
const WRITING: readonly string[] = ['POST', 'PATCH']

export const negotiate: RequestHandler = (req, _res, next) => {
  if (WRITING.includes(req.method)) {
    checkAll(
      () => checkAccept(req.get('accept')),
      () => checkContentType(req.get('content-type')),
    )
  } else {
    checkAccept(req.get('accept'))
  }
  next()
}

/** Of POST and PATCH, after `negotiate`. */
export const readDocument = (limitBytes: number): RequestHandler =>
  jsonBody({
    accept: [JSON_API_MEDIA_TYPE],
    parse: parseExactJson,
    limitBytes,
    wrongType: 'unsupported_media_type',
    malformed: 'bad_request',
    tooLarge: 'payload_too_large',
  })
