/** Provisioning over HTTP through the gateway, with the unmodified npm package @commercelayer/provisioning-sdk. */
import { CommerceLayerProvisioning } from '@commercelayer/provisioning-sdk'
import { eventually } from '@merx/testing/eventually'
import { connect, JSON_API } from './support/connect.ts'
import { demo, organization } from './support/demo.ts'
import { createMappedFetch } from './support/mapped-fetch.ts'
import { administratorToken } from './support/sign-in.ts'
import type { TokenBody } from './support/wire.ts'

let token: string
beforeAll(async () => {
  token = await administratorToken()
})

const sdk = () =>
  CommerceLayerProvisioning({
    accessToken: token,
    domain: demo().domain,
    fetch: createMappedFetch().fetch,
  })

const provisioning = (method: string, path: string, body?: unknown) =>
  connect().auth(
    method,
    `/provisioning/${path}`,
    { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': JSON_API }) },
    body,
  )

const tokenOf = async (client: { client_id: string; client_secret: string }) => {
  const reply = await connect().token({
    grant_type: 'client_credentials',
    client_id: client.client_id,
    client_secret: client.client_secret,
  })
  return { status: reply.status, token: reply.json<Partial<TokenBody>>().access_token ?? '' }
}

const statusOf = async (method: string, bearer: string, body?: unknown) =>
  (await connect().core('shipping_categories', { token: bearer, method, body })).status

describe('an administrator', () => {
  test('gives an integration a custom role, changes it and takes it away, and core follows', async () => {
    const client = sdk()
    const { id } = organization()
    const own = { type: 'organizations' as const, id }
    const role = await client.roles.create({ name: `Desk ${Date.now()}`, organization: own })
    const link = { type: 'roles' as const, id: role.id }
    const permission = await client.permissions.create({
      ...{ subject: 'shipping_categories', role: link },
      ...{ can_create: false, can_read: true, can_update: false, can_destroy: false },
    })
    const made = await client.api_credentials.create({
      ...{ name: 'Desk', kind: 'integration', mode: 'test', organization: own, role: link },
    })
    const desk = await tokenOf(made)
    expect(desk.status).toBe(200)
    expect(await statusOf('GET', desk.token)).toBe(200)
    const category = { data: { type: 'shipping_categories', attributes: { name: 'From the desk' } } }
    expect(await statusOf('POST', desk.token, category)).toBe(401)
    await client.permissions.update({ id: permission.id, can_create: true })
    await eventually(async () => (await statusOf('POST', desk.token, category)) === 201)

    const shown = await client.roles.retrieve(role.id, { include: ['permissions', 'organization'] })
    expect(shown.permissions?.map(({ subject }) => subject)).toEqual(['shipping_categories'])
    expect(shown.organization?.slug).toBe(organization().slug)
    expect((await client.api_credentials.retrieve(made.id)).client_secret).toBeUndefined()

    await client.api_credentials.delete(made.id)
    await eventually(async () => (await statusOf('GET', desk.token)) === 401)
    expect((await tokenOf(made)).status).toBe(401)
    expect((await provisioning('DELETE', `roles/${role.id}`)).status).toBe(204)
  })

  test('lists what there is, page by page, in order', async () => {
    const page = await sdk().api_credentials.list({
      pageSize: 3,
      sort: { created_at: 'desc' },
      filters: { mode_eq: 'test' },
      include: ['role'],
    })
    expect(page).toHaveLength(3)
    expect(page.meta.recordCount).toBeGreaterThan(3)
    const times = Array.from(page, (credential) => credential.created_at)
    expect(times).toEqual(times.toSorted().reverse())
    const organizations = await sdk().organizations.list()
    expect(Array.from(organizations, ({ slug }) => slug)).toEqual([organization().slug])
  })

  test('changes the organization, and core shows it', async () => {
    const { id } = organization()
    const before = (await sdk().organizations.retrieve(id)).name
    await sdk().organizations.update({ id, name: 'Renamed' })
    const integration = await connect().core('organization', { token })
    expect(integration.json<{ data: { attributes: { name: string } } }>().data.attributes.name).toBe(
      'Renamed',
    )
    await sdk().organizations.update({ id, name: before })
  })

  test('gets every violation at once', async () => {
    const error: unknown = await sdk()
      .api_credentials.create({
        ...{ name: '', kind: 'webapp', expires_in: 1, organization: { type: 'organizations', id: 'x' } },
      })
      .catch((thrown: unknown) => thrown)
    const { errors } = error as { errors: { source: { pointer: string } }[] }
    expect(errors.map(({ source }) => source.pointer).toSorted()).toEqual([
      '/data/attributes/expires_in',
      '/data/attributes/name',
      '/data/attributes/redirect_uri',
      '/data/relationships/organization',
    ])
  })

  test('sees nothing of another organization', async () => {
    const other = await administratorToken(1)
    const client = CommerceLayerProvisioning({
      ...{ accessToken: other, domain: demo().domain, fetch: createMappedFetch().fetch },
    })
    const [mine] = await sdk().roles.list()
    await expect(client.roles.retrieve(mine?.id ?? '')).rejects.toMatchObject({ status: 404 })
  })
})

describe('the gateway', () => {
  test('serves provisioning on {auth_url}, and on {base_url} for the console', async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const beside = await connect().raw('GET', `${demo().base_url}/provisioning/users`, headers)
    expect(beside.status).toBe(200)
    expect((await provisioning('GET', 'users')).status).toBe(200)
    const without = await connect().raw('GET', `${demo().base_url}/provisioning/users`)
    expect(without.status).toBe(401)
  })
})
