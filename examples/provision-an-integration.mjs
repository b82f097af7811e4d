/**
 * An administrator lets a warehouse program read SKUs and nothing else: a custom role, one permission, a credential.
 * The program gets a token with its new secret and tries. In the end all of it is taken away again.
 */
import { demo, getCore, print, requireOk, tokenFor } from './shared/merx.mjs'
import { administratorToken } from './shared/sign-in.mjs'

const token = await administratorToken()

/** {auth_url}/provisioning/<path> */
const provision = async (method, path, data) => {
  const response = await fetch(`${demo.auth_url}/provisioning/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/vnd.api+json',
      ...(data === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' }),
    },
    ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
  })
  if (response.status === 204) return undefined
  return requireOk({ status: response.ok ? 200 : response.status, body: await response.json() }).data
}

const create = (type, attributes, relationships = {}) =>
  provision('POST', type, { type, attributes, relationships })

const role = await create('roles', { name: `Warehouse ${Date.now()}` })
const withRole = { role: { data: { type: 'roles', id: role.id } } }
await create('permissions', { subject: 'skus', can_read: true }, withRole)
const credential = await create(
  'api_credentials',
  { name: 'Warehouse', kind: 'integration', mode: 'test' },
  withRole,
)
const { client_id, client_secret } = credential.attributes

/** A new permission reaches core within a second of its own accord; until then core refuses. */
const onceAllowed = async (ask, triesLeft = 50) => {
  const answer = await ask()
  if (answer.status !== 401 || triesLeft === 0) return answer
  await new Promise((resolve) => setTimeout(resolve, 100))
  return onceAllowed(ask, triesLeft - 1)
}

const warehouse = await tokenFor({ client_id, client_secret })
const skus = await onceAllowed(() => getCore('skus', warehouse))
const orders = await getCore('orders', warehouse)

await provision('DELETE', `api_credentials/${credential.id}`)
await provision('DELETE', `roles/${role.id}`)

print({
  role: role.attributes.name.split(' ')[0],
  has_secret: client_secret.length > 0,
  skus: skus.body.meta.record_count,
  orders: { status: orders.status, error: orders.body.errors[0].code },
  left: (await provision('GET', `roles?filter[q][id_eq]=${role.id}`)).length,
})
