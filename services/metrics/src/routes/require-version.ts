/** Requires the version of the interface in Accept (contract, "Versioning"). */
import { AppError } from '@merx/errors/app-error'
import { parseMediaType } from '@merx/http/media-type'
import type { RequestHandler } from 'express'

const VERSIONED = /^application\/vnd\.api\.v([^+]+)\+json$/
const VERSION = '1'

/** RFC 9110 12.4.2: a weight of 0 means "not acceptable". */
const REFUSED = /;[ \t]*q=0(?:\.0{0,3})?[ \t]*(?:;|$)/i

const versionsOf = (accept: string): readonly string[] =>
  accept
    .split(',')
    .filter((item) => !REFUSED.test(item))
    .flatMap((item) => VERSIONED.exec(parseMediaType(item.trim())?.essence ?? '')?.[1] ?? [])

/** 406 unless Accept takes `application/vnd.api.v1+json`; another version and no version at all are different answers. */
export const requireVersion: RequestHandler = (req, _res, next) => {
  const versions = versionsOf(req.get('accept') ?? '')
  const source = { header: 'Accept' }
  if (versions.length === 0) throw new AppError('metrics_accept_not_set', { source })
  if (!versions.includes(VERSION)) throw new AppError('metrics_version_not_supported', { source })
  next()
}
