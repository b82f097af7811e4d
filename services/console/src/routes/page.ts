/** The page: its files, whose names change with their contents, and index.html for every address within the console. */
import { AppError } from '@merx/errors/app-error'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { Router, type Request, type RequestHandler, type Response } from 'express'
import type { PageFile, PageFiles } from '../page-files.ts'
import { redirect } from './redirect.ts'
import { HOME_PATH } from './sign-in.ts'

const YEAR_SECONDS = 31_536_000

/** Nothing inline, nothing from elsewhere, nothing that can become a script; the API is on the same origin. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const send = (req: Request, res: Response, file: PageFile): void => {
  res.setHeader('Content-Type', file.type)
  res.setHeader('Vary', 'Accept-Encoding')
  const isGzipped = req.acceptsEncodings('gzip') !== false
  if (isGzipped) res.setHeader('Content-Encoding', 'gzip')
  const bytes = isGzipped ? file.gzipped : file.bytes
  res.setHeader('Content-Length', bytes.length)
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

const sendAsset =
  ({ assets }: PageFiles): RequestHandler =>
  (req, res) => {
    const { name } = req.params
    const file = typeof name === 'string' ? assets.get(name) : undefined
    if (file === undefined) throw new AppError('not_found')
    res.setHeader('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    send(req, res, file)
  }

const sendIndex =
  ({ index }: PageFiles): RequestHandler =>
  (req, res) => {
    res.setHeader('Cache-Control', 'no-cache')
    res.setHeader('Content-Security-Policy', PAGE_POLICY)
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    res.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
    send(req, res, index)
  }

const toHome: RequestHandler = (_req, res) => redirect(res, HOME_PATH)

const get = (router: Router, path: string, handler: RequestHandler): void => {
  router
    .route(path)
    .get(handler)
    .all(methodNotAllowed(['GET'], 'method_not_allowed'))
}

export const pageRoutes = (files: PageFiles): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  get(router, '/', toHome)
  get(router, '/console', toHome)
  get(router, '/console/assets/:name', sendAsset(files))
  get(router, '/console/', sendIndex(files))
  get(router, '/console/*path', sendIndex(files))
  return router
}
