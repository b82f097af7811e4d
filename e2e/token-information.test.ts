/** GET {base_url}/oauth/tokeninfo, through the gateway. */
import { RESOURCE_TYPES } from '@merx/auth/roles/resource-shapes'
import { resources } from '@merx/core/areas'
import { accessToken, connect } from './support/connect.ts'
import { demo } from './support/demo.ts'

const tokenInfo = (token?: string) =>
  connect().raw(
    'GET',
    `${demo().base_url}/oauth/tokeninfo`,
    token === undefined ? {} : { Authorization: `Bearer ${token}` },
  )

interface TokenInfo {
  readonly permissions: Readonly<Record<string, { readonly actions: readonly string[] }>>
}

describe('tokeninfo', () => {
  it('knows every resource type of core, and no other', () => {
    expect([...RESOURCE_TYPES]).toEqual(resources.map(({ type }) => type).toSorted())
  })

  it.each([
    ['integration', ['create', 'destroy', 'read', 'update']],
    ['integration_read_only', ['read']],
  ] as const)('lists them for %s', async (name, actions) => {
    const reply = await tokenInfo(await accessToken(name))
    expect(reply.status).toBe(200)
    const { permissions } = reply.json<TokenInfo>()
    expect(permissions).toEqual(Object.fromEntries(RESOURCE_TYPES.map((type) => [type, { actions }])))
  })

  it('lists the rows of a custom role', async () => {
    const { permissions } = (await tokenInfo(await accessToken('integration_custom'))).json<TokenInfo>()
    expect(permissions['orders']).toEqual({ actions: ['create', 'read', 'update'] })
    expect(permissions['merchants']).toBeUndefined()
  })

  it('answers 401 in the words of core without a token', async () => {
    const reply = await tokenInfo()
    expect(reply.status).toBe(401)
    expect(reply.json()).toMatchObject({ errors: [{ code: 'INVALID_TOKEN', status: '401' }] })
  })
})
