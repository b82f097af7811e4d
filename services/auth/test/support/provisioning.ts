/** An administrator of an organization with a token, and what they send to /provisioning. */
import type { InProcessResponse } from '@merx/testing/in-process-client'
import type { CreatedCredential } from '../../src/provisioning/create-credential.ts'
import { clientOf, REDIRECT_URI, type TestSystem } from './auth-system.ts'
import { createTestBrowser } from './browser.ts'

export const JSON_API = 'application/vnd.api+json'
export const PASSWORD = 'a good password'

export interface Resource {
  readonly id: string
  readonly type: string
  readonly links: { readonly self: string }
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>
}

interface Document {
  readonly data: Resource
  readonly included?: readonly Resource[]
}

export interface Client {
  get(path: string): Promise<InProcessResponse>
  post(type: string, members: object): Promise<InProcessResponse>
  patch(type: string, id: string, members: object): Promise<InProcessResponse>
  remove(type: string, id: string): Promise<InProcessResponse>
}

export const documentOf = ({ body }: InProcessResponse): Document => body as Document
export const dataOf = (response: InProcessResponse): Resource => documentOf(response).data
export const listOf = ({ body }: InProcessResponse): readonly Resource[] =>
  (body as { data: readonly Resource[] }).data

/** Status, then what each error says of what. */
export const refusalOf = ({ status, body }: InProcessResponse) => ({
  status,
  errors: (
    body as {
      errors: { code: string; detail: string; source?: { pointer?: string; parameter?: string } }[]
    }
  ).errors.map(({ code, source }) => [code, source?.pointer ?? source?.parameter]),
})

interface Person {
  readonly email: string
  readonly password?: string
  readonly webapp?: CreatedCredential
  readonly scope?: string
}

/** As a person does it at the page: sign in and consent. @returns the code the application is given */
export const consent = async (
  system: Pick<TestSystem, 'api' | 'credentials'>,
  { email, password = PASSWORD, webapp = system.credentials.webapp, scope }: Person,
): Promise<string> => {
  const browser = createTestBrowser(system.api)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: webapp.clientId,
    redirect_uri: REDIRECT_URI,
    ...(scope === undefined ? {} : { scope }),
  })
  const signInPage = await browser.open(`/oauth/authorize?${query.toString()}`)
  const signedIn = await browser.submit(signInPage, { action: 'sign_in', email, password })
  const consentPage = await browser.open(signedIn.headers['location'] ?? '')
  const consented = await browser.submit(consentPage, { action: 'allow' })
  const code = new URL(consented.headers['location'] ?? '').searchParams.get('code')
  if (code === null) throw new Error(`${email} got no code: ${consented.text}`)
  return code
}

export const exchange = (api: TestSystem['api'], code: string, webapp: CreatedCredential) =>
  api.post('/oauth/token', {
    body: {
      grant_type: 'authorization_code',
      ...clientOf(webapp),
      code,
      redirect_uri: REDIRECT_URI,
    },
  })

/** And the application exchanges the code. */
export const signIn = async (
  system: Pick<TestSystem, 'api' | 'credentials'>,
  { answer = 'access_token', ...person }: Person & { answer?: 'access_token' | 'refresh_token' },
): Promise<string> => {
  const { email, webapp = system.credentials.webapp } = person
  const response = await exchange(system.api, await consent(system, person), webapp)
  if (response.status !== 200) throw new Error(`${email} got no token: ${response.text}`)
  return (response.body as Record<typeof answer, string>)[answer]
}

export const clientWith = ({ api }: Pick<TestSystem, 'api'>, token: string): Client => {
  const send = (method: string, path: string, body?: object) =>
    api.request(method, `/provisioning/${path}`, {
      token,
      ...(body === undefined ? {} : { body, headers: { 'Content-Type': JSON_API } }),
    })
  return {
    get: (path) => send('GET', path),
    post: (type, members) => send('POST', type, { data: { type, ...members } }),
    patch: (type, id, members) => send('PATCH', `${type}/${id}`, { data: { type, id, ...members } }),
    remove: (type, id) => send('DELETE', `${type}/${id}`),
  }
}

/** Another organization, with a user, a role, a credential and a permission of its own. */
export const provisionOther = async ({ auth: { provisioning } }: TestSystem, slug: string) => {
  const { id: organizationId } = await provisioning.createOrganization({ slug, name: slug })
  const { id: adminRoleId } = await provisioning.createRole({ organizationId, name: 'Admin', kind: 'admin' })
  const { id: customRoleId } = await provisioning.createRole({
    organizationId,
    name: 'Desk',
    kind: 'custom',
    permissions: [{ subject: 'orders', actions: ['read'] }],
  })
  const email = `owner@${slug}.example`
  const user = { organizationId, email, password: PASSWORD, roleId: adminRoleId, isOwner: true }
  const { id: userId } = await provisioning.createUser(user)
  const webapp = await provisioning.createCredential({
    ...{ organizationId, mode: 'test', kind: 'webapp', name: 'Dashboard', redirectUri: REDIRECT_URI },
  })
  return { organizationId, adminRoleId, customRoleId, userId, email, webapp }
}
