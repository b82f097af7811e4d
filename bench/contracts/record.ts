/**
 * What real neighbours answer, for load tests of one service alone: asks a real auth what core asks it, and a real core
 * what auth asks it. `node bench/contracts/main.ts` writes both recordings; a test compares their shapes with what is
 * answered today.
 */
import { openAuthSurroundings } from '@merx/auth/load/start-auth'
import { integrationTokenRequest, salesChannelTokenRequest } from '@merx/auth/load/token-requests'
import { addLine, createOrder } from '@merx/core/load/core-requests'
import { encodeId } from '@merx/core/load/load-ids'
import { openCoreSurroundings } from '@merx/core/load/start-core'
import type { LoadedCore } from '@merx/core/load/start-core'
import type { LoadRequest } from '@merx/load/exchange'
import { hashPassword } from '@merx/passwords/passwords'

const SERVICE_KEY = 'service-key-of-a-load-test'
const PASSWORD = 'correct horse battery staple'
const SKUS = 100

type Json = Readonly<Record<string, unknown>>

const INTERNAL = { authorization: `Bearer ${SERVICE_KEY}` }

const ask = async (url: string, body?: unknown): Promise<Json> => {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(url.includes('/internal/') ? INTERNAL : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Json
}

const claimsOf = (token: unknown): Json => {
  const [, payload = ''] = String(token).split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json
}

/** The access state, and the claims of a token of each kind that load uses. */
export const recordAuth = async (): Promise<Json> => {
  const surroundings = await openAuthSurroundings()
  try {
    const { url, facts } = await surroundings.start({ signingKeyBits: 2048 })
    const [integration] = facts.integrations
    if (integration === undefined) throw new Error('auth has no integration')
    const tokenOf = async ({
      path,
      body,
    }: {
      readonly path: string
      readonly body?: string
    }): Promise<Json> => claimsOf((await ask(url + path, JSON.parse(body ?? '{}')))['access_token'])
    return {
      access_state: await ask(`${facts.internalUrl}/internal/access-state?wait_seconds=0`),
      claims: {
        integration: await tokenOf(integrationTokenRequest(integration)),
        sales_channel: await tokenOf(salesChannelTokenRequest(facts.salesChannel)),
      },
    }
  } finally {
    await surroundings.close()
  }
}

/** Three markets, one of them of a customer group, a store of the first, and who buys there. */
const SHOP = `
  INSERT INTO customer_groups (id, environment_id, name) VALUES (1, 1, 'Club');
  UPDATE markets SET code = CASE id WHEN 1 THEN 'europe' WHEN 2 THEN 'usa' ELSE 'club' END,
    customer_group_id = CASE id WHEN 3 THEN 1 END, external_prices_url = CASE id WHEN 3 THEN 'https://prices.example.com' END;
  INSERT INTO stores (id, environment_id, name, code, market_id, stock_location_id)
    VALUES (1, 1, 'Milan', 'milan', 1, 2);
  INSERT INTO customers (environment_id, email) VALUES (1, 'ada@example.com');`

/** The answers that auth's grants rest on. */
export const recordCore = async (): Promise<Json> => {
  const surroundings = await openCoreSurroundings(() => undefined)
  try {
    const { target, pool } = await surroundings.start('contracts', SKUS)
    await prepare(pool)
    const of = (code: string, type: string) => ({ type, by: 'code', value: code })
    const environment = { organization_id: 'enWoxFMOnp', mode: 'test' }
    const references = [
      ...['europe', 'usa', 'club'].map((code) => of(code, 'market')),
      of('milan', 'store'),
      of('location-1', 'stock_location'),
    ]
    const { internalUrl } = target.facts
    const scopes = await ask(`${internalUrl}/internal/scopes/resolve`, { ...environment, references })
    const customer = await ask(`${internalUrl}/internal/customers/authenticate`, {
      ...environment,
      email: 'ada@example.com',
      password: PASSWORD,
    })
    const { rows } = await pool.query<{ password_hash: string }>('SELECT password_hash FROM customers')
    const { markets, stores, stock_locations: places } = scopes
    return {
      markets,
      stores,
      stock_locations: places,
      customer,
      password: PASSWORD,
      password_hash: rows[0]?.password_hash,
    }
  } finally {
    await surroundings.close()
  }
}

const prepare = async (pool: LoadedCore['pool']): Promise<void> => {
  await pool.query('DELETE FROM price_list_schedulers')
  await pool.query('DELETE FROM markets WHERE id > 3')
  await pool.query(SHOP)
  await pool.query('UPDATE customers SET password_hash = $1', [await hashPassword(PASSWORD)])
}

const sendTo = async (url: string, request: LoadRequest): Promise<Json> => {
  const { method, path, headers = {}, body = null } = request
  const answer = await fetch(url + path, { method, headers, body })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Json
}

/** The SKU of a shop that fillShop gives a price in list 1 and stock. */
const SELLABLE = 4
const LEASE = { store: 'recorded', holder: 'recorded', ttl_ms: 5_000, above: 0, report: {} }

/** What metrics fills its store from: a page of the order feed with one order of one line, and the lease on filling. */
export const recordFeed = async (): Promise<Json> => {
  const surroundings = await openCoreSurroundings(() => undefined)
  try {
    const { target } = await surroundings.start('feed', SKUS)
    const { adminToken, internalUrl } = target.facts
    const order = await sendTo(target.url, createOrder(adminToken, encodeId('markets', 1)))
    const { id } = order['data'] as { readonly id: string }
    await sendTo(target.url, addLine(adminToken, id, encodeId('skus', SELLABLE), 2))
    return {
      page: await ask(`${internalUrl}/internal/order-feed?limit=500&wait_seconds=0`),
      lease: await ask(`${internalUrl}/internal/order-feed/lease`, LEASE),
    }
  } finally {
    await surroundings.close()
  }
}
