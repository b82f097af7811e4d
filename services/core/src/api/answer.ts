/** JSON:API answers. */
import { callerOf } from '@merx/access-token/authenticate'
import type { Caller } from '@merx/access-token/caller'
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import type { Response } from 'express'
import { assertReadable } from '../access/assert-readable.ts'

/** Sent as bytes with the exact media type: Express would add a charset, which JSON:API does not allow. */
export const answer = (res: Response, status: number, document: unknown): void => {
  answerBytes(res, status, toBytes(document, callerOf(res)))
}

/** An answer that is not sent yet. */
export interface Answer {
  readonly status: number
  /** Those that belong to the answer itself, not to the request. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export const sendAnswer = (res: Response, { status, headers, body }: Answer): void => {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  answerBytes(res, status, body)
}

/** What `answer` sends. */
export const toBytes = (document: unknown, caller: Caller): Buffer => {
  assertReadable(document, caller)
  return Buffer.from(JSON.stringify(document))
}

/** Only for bytes that `toBytes` made, for a caller who may see the same. */
export const answerBytes = (res: Response, status: number, body: Buffer): void => {
  res.status(status)
  res.setHeader('Content-Type', JSON_API_MEDIA_TYPE)
  res.setHeader('Content-Length', body.byteLength)
  res.setHeader('Vary', 'Accept, Authorization')
  res.setHeader('Cache-Control', 'private, no-cache')
  res.end(body)
}
