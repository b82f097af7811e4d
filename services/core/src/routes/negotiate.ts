/** What every request to the core interface is checked for before its handler: length, media types, body. */
import { jsonBody } from '@merx/http/json-body'
import { checkAccept, checkContentType, JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import { checkUrlLength } from '@merx/jsonapi/parse-query'
import type { RequestHandler } from 'express'

const BODY_BYTES_MAX = 1_048_576

/** Of an import: 10,000 inputs of about a kilobyte. */
const IMPORT_BYTES_MAX = 10 * 1_048_576

export const limitUrl: RequestHandler = (req, _res, next) => {
  checkUrlLength(req.originalUrl)
  next()
}

export const acceptJsonApi: RequestHandler = (req, _res, next) => {
  checkAccept(req.get('accept'))
  next()
}

const requireJsonApi: RequestHandler = (req, _res, next) => {
  checkContentType(req.get('content-type'))
  next()
}

/** Of POST and PATCH; a body on any other method is ignored. */
export const readDocument = (type: string): readonly RequestHandler[] => [
  requireJsonApi,
  jsonBody({
    accept: [JSON_API_MEDIA_TYPE],
    limitBytes: type === 'imports' ? IMPORT_BYTES_MAX : BODY_BYTES_MAX,
    wrongType: 'unsupported_media_type',
    malformed: 'bad_request',
    tooLarge: 'payload_too_large',
  }),
]
