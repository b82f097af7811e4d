/**
 * What every example needs: the addresses and credentials that `npm start` wrote, and one function per interface.
 * MERX_DATA_DIR says where the data folder is when it is not .merx in the repository; MERX_MODE chooses test or live.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
/** The data folder of the system. */
export const DATA_DIR = resolve(ROOT, process.env.MERX_DATA_DIR ?? '.merx')

const readDemo = () => {
  try {
    return JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    console.error(`${join(DATA_DIR, 'demo.json')} is not there: start the system first with npm start.`)
    process.exit(1)
  }
}

/** The whole of demo.json. */
export const demo = readDemo()

const readEnvironment = () => {
  const mode = process.env.MERX_MODE ?? 'test'
  const found = demo.organizations[0]?.environments[mode]
  if (found !== undefined) return found
  console.error(`there is no demo data for "${mode}": start with MERX_DEMO=true; MERX_MODE is test or live.`)
  return process.exit(1)
}

/** The environment the examples use: the first organization, test unless MERX_MODE says live. */
export const environment = readEnvironment()

export const { credentials } = environment

/** A market anyone may put in scope. */
export const market = environment.markets.find((candidate) => !candidate.private)

/** Prints the answer of an example: JSON, so that it can be piped into something else. */
export const print = (value) => console.log(JSON.stringify(value, null, 2))

/** One answer: its status and its body. A 429 is waited for once, as long as the service says. */
const request = async (url, options) => {
  const response = await fetch(url, options)
  if (response.status !== 429) return { status: response.status, body: await response.json() }
  await wait(Number(response.headers.get('retry-after') ?? 60) * 1000)
  const second = await fetch(url, options)
  return { status: second.status, body: await second.json() }
}

/** POST {auth_url}/oauth/token. */
export const requestToken = (fields) =>
  request(`${demo.auth_url}/oauth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(fields),
  })

/** GET {base_url}/api/<path>; URLSearchParams percent-encodes the brackets as the contract asks. */
export const getCore = (path, token, query = {}) => {
  const url = path.startsWith('http') ? path : `${demo.base_url}/api/${path}?${new URLSearchParams(query)}`
  return request(url, { headers: { Accept: 'application/vnd.api+json', Authorization: `Bearer ${token}` } })
}

/** POST or PATCH {base_url}/api/<path> with one resource object. */
export const sendCore = (method, path, token, data) =>
  request(`${demo.base_url}/api/${path}`, {
    method,
    headers: {
      Accept: 'application/vnd.api+json',
      'Content-Type': 'application/vnd.api+json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ data }),
  })

/** POST {base_url}/metrics/<resource>/<type>. */
export const queryMetrics = (type, body, token, resource = 'orders') =>
  request(`${demo.base_url}/metrics/${resource}/${type}`, {
    method: 'POST',
    headers: {
      Accept: 'application/vnd.api.v1+json',
      'Content-Type': 'application/vnd.api+json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(body),
  })

/** The access token of a client_credentials request; ends the example with the error when it is refused. */
export const tokenFor = async (credential, scope) => {
  const { status, body } = await requestToken({ grant_type: 'client_credentials', ...credential, scope })
  if (status === 200) return body.access_token
  console.error(JSON.stringify(body, null, 2))
  process.exit(1)
}

/** The guest token of a storefront for a scope: public credentials need no secret. */
export const storefrontToken = (scope) => tokenFor({ client_id: credentials.sales_channel.client_id }, scope)

/** The last twelve months up to now, as the metrics filter wants it: UTC, whole seconds. */
export const lastYear = () => {
  const seconds = (date) => date.toISOString().replace(/\.\d+Z$/, 'Z')
  const from = new Date()
  from.setUTCFullYear(from.getUTCFullYear() - 1)
  return { date_from: seconds(from), date_to: seconds(new Date()), date_field: 'placed_at' }
}

/** The body of an answer that must be a success; ends the example with the error otherwise. */
export const requireOk = ({ status, body }) => {
  if (status === 200 || status === 201) return body
  console.error(JSON.stringify(body, null, 2))
  process.exit(1)
}
