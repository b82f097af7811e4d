/** Signs the owner of a demo organization in on the authorize page and allows what is asked, as a browser would. */
import { readDemoUsers } from '@merx/embedded/src/demo-users.ts'
import { dataDir, demo, first, organization } from './demo.ts'
import { send, type Reply } from './send.ts'
import { freshAddress } from './source-address.ts'

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const find = (page: Reply, pattern: RegExp): string => {
  const found = pattern.exec(page.text)?.[1]
  if (found === undefined)
    throw new Error(`the page has no ${pattern.source}: ${page.status} ${page.text.slice(0, 400)}`)
  return unescapeHtml(found)
}

const createVisitor = () => {
  const from = freshAddress()
  const cookies = new Map<string, string>()
  const visit = async (method: string, url: string, fields?: Record<string, string>): Promise<Reply> => {
    const reply = await send({
      method,
      url,
      from,
      headers: {
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') || undefined,
        ...(fields === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
    })
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return reply
  }
  /** The form of a page, sent with these fields. */
  const submit = (page: Reply, fields: Record<string, string>): Promise<Reply> => {
    const action = find(page, /<form\s+method="post"\s+action="([^"]*)"/)
    const csrf_token = find(page, /name="csrf_token" value="([^"]*)"/)
    return visit('POST', new URL(action, demo().auth_url).href, { csrf_token, ...fields })
  }
  return { visit, submit }
}

/** @returns the address of the application that the browser is sent to, with the answer in its query */
export const consentTo = async (authorizationUrl: string, organizationIndex = 0): Promise<URL> => {
  const { visit, submit } = createVisitor()
  const owner = first(
    readDemoUsers(dataDir()),
    'owner',
    (user) => user.organization === organization(organizationIndex).slug,
  )
  const signInPage = await visit('GET', authorizationUrl)
  const signedIn = await submit(signInPage, {
    action: 'sign_in',
    email: owner.email,
    password: owner.password,
  })
  if (signedIn.status !== 303) throw new Error(`signing in was answered with ${signedIn.status}`)
  const consentPage = await visit('GET', authorizationUrl)
  const { headers } = await submit(consentPage, { action: 'allow' })
  return new URL(headers.location ?? 'about:blank')
}
