/** A user signs in to the demo webapp as a browser would, without one: cookies kept, forms followed. */
import { readDemoUsers, type DemoUser } from '@merx/embedded/src/demo-users.ts'
import { connect } from './connect.ts'
import { dataDir, demo, environment, first, organization } from './demo.ts'
import type { Reply } from './send.ts'
import type { TokenBody } from './wire.ts'

/** The owner of a demo organization, who has the admin role. */
export const ownerOf = (index = 0): DemoUser =>
  first(readDemoUsers(dataDir()), 'owner', (user) => user.organization === organization(index).slug)

const unescapeHtml = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')

const find = ({ text, status }: Reply, pattern: RegExp): string => {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`the page (${status}) has no ${pattern.source}`)
  return unescapeHtml(found)
}

const openBrowser = () => {
  const connection = connect()
  const cookies = new Map<string, string>()
  const send = async (method: string, path: string, fields?: Record<string, string>): Promise<Reply> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const headers = { ...(cookie === '' ? {} : { Cookie: cookie }), ...(fields === undefined ? {} : form) }
    const body = fields === undefined ? undefined : new URLSearchParams(fields).toString()
    const reply = await connection.auth(method, path, headers, body)
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return reply
  }
  return {
    open: (path: string) => send('GET', path),
    submit: (page: Reply, fields: Record<string, string>) =>
      send('POST', find(page, /<form\s+method="post"\s+action="([^"]*)"/), {
        csrf_token: find(page, /name="csrf_token" value="([^"]*)"/),
        ...fields,
      }),
  }
}

const locationOf = ({ headers }: Reply): string => {
  const url = new URL(String(headers['location']), demo().auth_url)
  return url.origin === new URL(demo().auth_url).origin ? `${url.pathname}${url.search}` : url.href
}

export interface SignIn {
  readonly webapp: {
    readonly client_id: string
    readonly client_secret: string
    readonly redirect_uri: string
  }
  readonly email: string
  readonly password: string
}

/** An access token of the webapp that speaks for the user. */
export const tokenOfUser = async ({ webapp, email, password }: SignIn): Promise<string> => {
  const { client_id, client_secret, redirect_uri } = webapp
  const browser = openBrowser()
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri })
  const page = await browser.open(`/oauth/authorize?${query.toString()}`)
  const signedIn = await browser.submit(page, { action: 'sign_in', email, password })
  const consent = await browser.open(locationOf(signedIn))
  const consented = await browser.submit(consent, { action: 'allow' })
  const code = new URL(locationOf(consented)).searchParams.get('code')
  const grant = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri, code }
  const reply = await connect().token(grant)
  if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text}`)
  return reply.json<TokenBody>().access_token
}

/** An access token of the demo's webapp that speaks for the owner of the organization. */
export const administratorToken = (index = 0): Promise<string> =>
  tokenOfUser({ webapp: environment('test', index).credentials.webapp, ...ownerOf(index) })
