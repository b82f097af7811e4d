/**
 * ETag, If-Match and If-None-Match of a single resource (RFC 9110, 8.8.3 and 13). A tag is strong: the version of the row, then a
 * digest of the bytes, so that it changes with everything that is shown. Writes compare the version only.
 */
import { createHash } from 'node:crypto'
import { AppError } from '@merx/errors/app-error'
import type { Row } from '@merx/jsonapi/attributes'
import type { Request, Response } from 'express'
import { ROW_VERSION_COLUMN } from '../engine/sql/selection.ts'
import { answerBytes } from './answer.ts'

const DIGEST_CHARACTERS = 22

/** `"<version>-<digest>"`; the row was read with its version. */
export const entityTagOf = (row: Row, body: Buffer): string => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, DIGEST_CHARACTERS)
  return `"${String(row[ROW_VERSION_COLUMN])}-${digest}"`
}

type Tags = '*' | readonly string[]

const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const LIST = new RegExp(`^${TAG}(?:[ \\t]*,[ \\t]*${TAG})*$`)

/** Undefined without the header. Throws AppError `entity_tag_not_valid`. */
const tagsOf = (req: Request, header: 'If-Match' | 'If-None-Match'): Tags | undefined => {
  const sent = req.get(header)?.trim()
  if (sent === undefined) return undefined
  if (sent === '*') return '*'
  if (LIST.test(sent)) return sent.match(new RegExp(TAG, 'g')) ?? []
  throw new AppError('entity_tag_not_valid', {
    detail: `${header} is neither * nor a list of entity tags in quotes, such as "1-a", "2-b".`,
    source: { header },
  })
}

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '')

const failed = (header: string, detail: string): AppError =>
  new AppError('precondition_failed', { detail, source: { header } })

/** Answers a GET: 304 when the caller has these bytes already, 412 when it asked for others. */
export const answerTagged = (req: Request, res: Response, row: Row, body: Buffer): void => {
  const tag = entityTagOf(row, body)
  const wanted = tagsOf(req, 'If-Match')
  const known = tagsOf(req, 'If-None-Match')
  if (wanted !== undefined && wanted !== '*' && !wanted.includes(tag))
    throw failed('If-Match', 'The resource has another entity tag by now.')
  res.setHeader('ETag', tag)
  const isKnown = known === '*' || known?.some((each) => withoutWeakness(each) === tag) === true
  if (!isKnown) {
    answerBytes(res, 200, body)
    return
  }
  res.setHeader('Vary', 'Accept, Authorization')
  res.setHeader('Cache-Control', 'private, no-cache')
  res.status(304).end()
}

/** Judges the version of the row to be written; undefined when the request has no condition. */
export const versionCheckOf = (req: Request): ((version: string) => void) | undefined => {
  const wanted = tagsOf(req, 'If-Match')
  const unwanted = tagsOf(req, 'If-None-Match')
  if (wanted === undefined && unwanted === undefined) return undefined
  return (version) => {
    const isOf = (tag: string): boolean => tag.startsWith(`"${version}-`)
    if (wanted !== undefined && wanted !== '*' && !wanted.some(isOf))
      throw failed('If-Match', 'The resource was changed since; read it again.')
    if (unwanted === '*' || unwanted?.some((tag) => isOf(withoutWeakness(tag))) === true)
      throw failed('If-None-Match', 'The resource is there, and as it was.')
  }
}
