/** GET /api/files/<key>: the file of an export, or what an import was given, as gzip; part by part, none is held whole. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { AppError } from '@merx/errors/app-error'
import type { RequestHandler } from 'express'
import { findFile } from '../bulk/find-file.ts'
import type { SignedUrls } from '../bulk/signed-urls.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'

export interface FileDeps {
  readonly run: RunStatement
  readonly signedUrls: SignedUrls
}

/** No token: the address is signed and expires. 404 for any other, so that nothing is told about what exists. */
export const handleFile =
  ({ run, signedUrls }: FileDeps): RequestHandler =>
  async (req, res) => {
    const key = String(req.params['key'])
    const isValid = signedUrls.isValid(key, req.query['expires'], req.query['signature'])
    const file = isValid ? await findFile(key, run) : undefined
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
