/** GET /api/files/<key>: streams the file of an export, or the items of an import, as gzip. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { AppError } from '@merx/errors/app-error'
import type { RequestHandler } from 'express'
import { findFile } from '../bulk/find-file.ts'
import type { SignedUrls } from '../bulk/signed-urls.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { Registry } from '../engine/registry.ts'

export interface FileDeps {
  readonly run: RunStatement
  readonly signedUrls: SignedUrls
  readonly registry: Registry
}

/** No token: the address is signed and expires. 404 for any other, so that nobody learns what exists. */
export const handleFile =
  ({ run, signedUrls, registry }: FileDeps): RequestHandler =>
  async (req, res) => {
    const key = String(req.params['key'])
    const isValid = signedUrls.isValid(key, req.query['expires'], req.query['signature'])
    const file = isValid ? await findFile(key, run, registry) : undefined
    if (file === undefined) {
      throw new AppError('not_found', {
        detail: 'The address is not valid or has expired; fetch the job again.',
      })
    }
    res.setHeader('Content-Type', 'application/gzip')
    res.setHeader('Content-Disposition', `attachment; filename="${file.name}"`)
    res.setHeader('Cache-Control', 'private, no-store')
    if (req.method === 'HEAD') res.end()
    else if (file.isCompressed) await pipeline(Readable.from(file.chunks), res)
    else await pipeline(Readable.from(file.chunks), createGzip(), res)
  }
