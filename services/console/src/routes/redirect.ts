import type { Response } from 'express'

/** 303: whatever was sent here, what follows is a GET (RFC 9700 4.12). */
export const redirect = (res: Response, url: string): void => {
  res.status(303)
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Location', url)
  res.end()
}
