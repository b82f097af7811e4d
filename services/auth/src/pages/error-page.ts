/** Shows an error when there is no redirect URI to send it to. */
import type { AppError } from '@merx/errors/app-error'
import { html } from './html.ts'
import type { Page } from './page.ts'

const HEADINGS: Readonly<Record<number, string>> = {
  403: 'Please start again',
  405: 'This page cannot be used like that',
  429: 'Too many requests',
  503: 'Not available right now',
}

const headingOf = (status: number): string =>
  HEADINGS[status] ?? (status >= 500 ? 'Something went wrong on our side' : 'The application made a mistake')

export const errorPage = (errors: readonly AppError[], status: number, requestId: string): Page => ({
  status,
  title: headingOf(status),
  content: html`<h1>${headingOf(status)}</h1>
    ${errors.map((error) => html`<p>${error.detail ?? error.title}</p>`)}
    <p class="soft">Go back to the application and try again. If that does not help, tell its makers:</p>
    <dl>
      <div>
        <dt>Error</dt>
        <dd>${errors[0]?.title ?? 'server_error'}</dd>
      </div>
      <div>
        <dt>Request</dt>
        <dd>${requestId}</dd>
      </div>
    </dl>`,
})
