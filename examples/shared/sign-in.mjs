/**
 * A person signs in to a webapp and lets it act for them, as a browser would do it: keeps cookies, follows forms. A real
 * webapp sends the browser there instead and sees no password.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { credentials, DATA_DIR, demo, requestToken, requireOk } from './merx.mjs'

/** The owner of the first organization; the passwords of the demo's users are in a file of their own. */
const readOwner = () =>
  JSON.parse(readFileSync(join(DATA_DIR, 'demo-users.json'), 'utf8')).find(
    ({ organization }) => organization === demo.organizations[0].slug,
  )

const unescapeHtml = (text) =>
  text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
const find = (html, pattern) => unescapeHtml(pattern.exec(html)[1])

const openBrowser = () => {
  const cookies = new Map()
  const send = async (url, options = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...options, headers: { Cookie: cookie }, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split(/=(.*)/s)
      cookies.set(name, value)
    }
    return { html: await response.text(), location: response.headers.get('location') }
  }
  return {
    open: (path) => send(new URL(path, demo.auth_url)),
    submit: ({ html }, fields) =>
      send(new URL(find(html, /<form\s+method="post"\s+action="([^"]*)"/), demo.auth_url), {
        method: 'POST',
        body: new URLSearchParams({ csrf_token: find(html, /name="csrf_token" value="([^"]*)"/), ...fields }),
      }),
  }
}

/** An access token of the webapp that speaks for the owner, who has the admin role. */
export const administratorToken = async () => {
  const { client_id, client_secret, redirect_uri } = credentials.webapp
  const { email, password } = readOwner()
  const browser = openBrowser()
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri })
  const page = await browser.open(`/oauth/authorize?${query}`)
  const signedIn = await browser.submit(page, { action: 'sign_in', email, password })
  const consent = await browser.open(signedIn.location)
  const { location } = await browser.submit(consent, { action: 'allow' })
  const code = new URL(location).searchParams.get('code')
  const grant = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri, code }
  return requireOk(await requestToken(grant)).access_token
}
