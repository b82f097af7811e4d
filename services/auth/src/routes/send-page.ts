import type { Response } from 'express'
import { pageHeaders, renderPage, type Page } from '../pages/page.ts'

export const sendPage = (res: Response, page: Page): void => {
  res.status(page.status)
  for (const [name, value] of Object.entries(pageHeaders(page))) res.setHeader(name, value)
  res.end(renderPage(page))
}

/** 303: whatever was sent here, what follows is a GET (RFC 9700 4.12). */
export const redirect = (res: Response, url: string): void => {
  res.status(303)
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Location', url)
  res.end()
}
