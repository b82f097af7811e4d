/** The users of a demo on the sign-in page: one click away, and only where the data is a demo. */
import { inProcessClient, type InProcessResponse } from '@merx/testing/in-process-client'
import { REDIRECT_URI, startTestSystem, type TestSystem } from '../support/auth-system.ts'
import { createTestBrowser, headingOf } from '../support/browser.ts'

const OWNER = { email: 'owner@shop.example', password: 'a good password' }

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ name: 'demo_users' })
})
afterAll(() => system.close())

const address = (): string =>
  `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: system.credentials.webapp.clientId,
    redirect_uri: REDIRECT_URI,
  }).toString()}`

/** What the first button of the demo's users sends. */
const demoFormOf = (page: InProcessResponse): Record<string, string> =>
  Object.fromEntries(
    [...page.text.matchAll(/<input type="hidden" name="(email|password)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

test('a user of the demo signs in with one click, in the own organization alone', async () => {
  const demoUsers = (slug: string) =>
    slug === 'shop' ? [OWNER] : [{ email: 'other@example.com', password: 'x' }]
  const auth = await system.another({ demoUsers })
  const browser = createTestBrowser(inProcessClient(auth.app))
  const page = await browser.open(address())
  expect(page.text).toContain(`Continue as ${OWNER.email}`)
  expect(page.text).not.toContain('other@example.com')
  const signedIn = await browser.submit(page, { action: 'sign_in', ...demoFormOf(page) })
  const next = await browser.open(signedIn.headers['location'] ?? '')
  expect(headingOf(next)).not.toBe(headingOf(page))
  expect(next.text).toContain(OWNER.email)
  await auth.close()
})

test('there is no such button where the data is no demo', async () => {
  const page = await createTestBrowser(system.api).open(address())
  expect(page.text).toContain('Sign in to')
  expect(page.text).not.toContain('Continue as')
})
