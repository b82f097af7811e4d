/** A custom role with restrictions, from the administrator who writes it to core, metrics and tokeninfo that obey it. */
import { CommerceLayerProvisioning } from '@commercelayer/provisioning-sdk'
import { eventually } from '@merx/testing/eventually'
import { connect } from './support/connect.ts'
import { demo, organization, publicMarket } from './support/demo.ts'
import { ALL_TIME } from './support/every-order.ts'
import { expectCoreError } from './support/expect-errors.ts'
import { createMappedFetch } from './support/mapped-fetch.ts'
import { administratorToken } from './support/sign-in.ts'
import type { BreakdownAnswer, TokenBody } from './support/wire.ts'

type Client = ReturnType<typeof CommerceLayerProvisioning>

let client: Client
let token: string
let permissionId: string

const market = publicMarket

beforeAll(async () => {
  const accessToken = await administratorToken()
  client = CommerceLayerProvisioning({
    ...{ accessToken, domain: demo().domain, fetch: createMappedFetch().fetch },
  })
  const own = { type: 'organizations' as const, id: organization().id }
  const role = await client.roles.create({ name: `Restricted ${Date.now()}`, organization: own })
  const link = { type: 'roles' as const, id: role.id }
  const permission = await client.permissions.create({
    ...{ subject: 'orders', role: link, restrictions: { rows: { all: { market_id_in: [market().id] } } } },
    ...{ can_create: false, can_read: true, can_update: true, can_destroy: false },
  })
  permissionId = permission.id
  const made = await client.api_credentials.create({
    ...{ name: 'Restricted', kind: 'integration', mode: 'test', organization: own, role: link },
  })
  const { client_id, client_secret } = made
  const reply = await connect().token({ grant_type: 'client_credentials', client_id, client_secret })
  token = reply.json<TokenBody>().access_token
})

const orders = (query: Readonly<Record<string, string | number>> = {}) =>
  connect().core('orders', { token, query: { 'page[size]': 25, ...query } })

// The vendor's types do not say so, but what was created with restrictions can be given others.
const restrict = (restrictions: object) =>
  client.permissions.update({ id: permissionId, ...{ restrictions } })

test('core and metrics show the orders of the market alone', async () => {
  const other = { 'filter[q][market_id_not_eq]': market().id }
  expect((await orders()).json<{ data: readonly unknown[] }>().data.length).toBeGreaterThan(0)
  expect((await orders(other)).json<{ meta: { record_count: number } }>().meta.record_count).toBe(0)
  const body = {
    breakdown: { by: 'market.id', field: 'order.id', operator: 'value_count', limit: 100 },
    filter: { order: ALL_TIME },
  }
  const { data } = (await connect().metrics('orders/breakdown', body, { token })).json<BreakdownAnswer>()
  expect(data['market.id']?.map(({ label }) => label)).toEqual([market().id])
})

test('tokeninfo returns what the role may do', async () => {
  const headers = { Authorization: `Bearer ${token}` }
  const reply = await connect().raw('GET', `${demo().base_url}/oauth/tokeninfo`, headers)
  expect(reply.json()).toMatchObject({
    role: { kind: 'custom' },
    permissions: { orders: { actions: ['read', 'update'] } },
  })
})

test('a change of restrictions reaches the living token', async () => {
  await restrict({ fields: { read: ['number', 'status'] } })
  await eventually(async () => {
    const { data } = (await orders()).json<{ data: readonly { attributes: object }[] }>()
    return data.every(({ attributes }) => Object.keys(attributes).toSorted().join() === 'number,status')
  })
  expectCoreError(await orders({ sort: 'placed_at' }), 401, 'UNAUTHORIZED')
  const body = { stats: { field: 'order.id', operator: 'value_count' }, filter: { order: ALL_TIME } }
  // Core and metrics learn of it each by itself.
  await eventually(async () => (await connect().metrics('orders/stats', body, { token })).status === 401)
})

test('restrictions that do not fit are refused, with what is allowed', async () => {
  const error: unknown = await restrict({
    rows: { all: { colour_eq: 'red' } },
    fields: { read: ['colour'] },
  }).catch((thrown: unknown) => thrown)
  const { errors } = error as { errors: { detail: string; source: { pointer: string } }[] }
  expect(errors[0]?.detail).toMatch(
    /orders cannot be filtered by "colour_eq".*"colour" is no field of orders/s,
  )
})
