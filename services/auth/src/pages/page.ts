/** The frame of every page: language, landmarks, style, and its security headers. */
import { html, type Html } from './html.ts'
import { STYLE_ELEMENT, STYLE_SOURCE } from './style.ts'

export interface Page {
  readonly status: number
  readonly title: string
  /** Next to the name of the product. */
  readonly place?: string
  readonly content: Html
  /** CSP sources its forms may lead to, beyond this server. Default: none. */
  readonly formTargets?: readonly string[]
}

export const renderPage = ({ title, place, content }: Page): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – Merx</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>Merx${place === undefined ? undefined : html` <span>/ ${place}</span>`}</header>
        <main>${content}</main>
        <footer>Merx never shows your password to the application.</footer>
      </body>
    </html> `.html

/** No script, no image, no frame, no base; one style sheet; forms only where this page sends them. */
export const pageHeaders = ({ formTargets = [] }: Page): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'Content-Type': 'text/html; charset=utf-8',
})
