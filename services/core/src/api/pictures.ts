/** GET /api/pictures/<code>.svg: the drawing of an article of the demo. */
import { AppError } from '@merx/errors/app-error'
import type { RequestHandler } from 'express'
import { drawPicture } from '../catalogue/sku-picture.ts'

/** No token: pages show pictures in elements that send none. What is drawn follows from the address alone. */
export const handlePicture: RequestHandler = (req, res) => {
  const [, code = ''] = /^(.+)\.svg$/.exec(String(req.params['file'])) ?? []
  const picture = drawPicture(code)
  if (picture === undefined)
    throw new AppError('not_found', { detail: 'The address is of no picture of the demo.' })
  const body = Buffer.from(picture)
  res.setHeader('Content-Type', 'image/svg+xml')
  res.setHeader('Content-Length', body.byteLength)
  res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  res.end(req.method === 'HEAD' ? undefined : body)
}
