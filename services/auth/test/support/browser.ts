/** What a browser does with the authorize page, without one: keeps cookies, follows forms. */
import type { InProcessClient, InProcessResponse } from '@merx/testing/in-process-client'

export interface TestBrowser {
  readonly cookies: Map<string, string>
  open(path: string, headers?: Record<string, string>): Promise<InProcessResponse>
  /** Posts the form of a page with these fields; its token and address are taken from the page. */
  submit(
    page: InProcessResponse,
    fields: Record<string, string | undefined>,
    headers?: Record<string, string>,
  ): Promise<InProcessResponse>
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

export const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)

const find = (page: InProcessResponse, pattern: RegExp): string => {
  const found = pattern.exec(page.text)?.[1]
  if (found === undefined) throw new Error(`the page has no ${pattern.source}: ${page.text}`)
  return unescapeHtml(found)
}

export const formActionOf = (page: InProcessResponse): string =>
  find(page, /<form\s+method="post"\s+action="([^"]*)"/)
export const csrfTokenOf = (page: InProcessResponse): string =>
  find(page, /name="csrf_token" value="([^"]*)"/)
/** The text of the first heading of level 1. */
export const headingOf = (page: InProcessResponse): string => find(page, /<h1>([^<]*)<\/h1>/)

export const createTestBrowser = (api: InProcessClient): TestBrowser => {
  const cookies = new Map<string, string>()
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await api.request(method, path, {
      headers: { ...(cookie === '' ? {} : { Cookie: cookie }), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const set: unknown = response.headers['set-cookie']
    for (const line of Array.isArray(set) ? (set as string[]) : []) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  return {
    cookies,
    open: (path, headers = {}) => send('GET', path, headers),
    submit: (page, fields, headers = {}) => {
      const all = Object.entries({ csrf_token: csrfTokenOf(page), ...fields })
      const sent = all.filter((field): field is [string, string] => field[1] !== undefined)
      return send(
        'POST',
        formActionOf(page),
        { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        new URLSearchParams(sent).toString(),
      )
    },
  }
}
