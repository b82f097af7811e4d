/** Merx as its containers run it: auth and core. What analyzes orders is left out, because the others have none. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  beginOrder,
  checkOut,
  chooseShipping,
  giveAddress,
  offerShipping,
  payByTransfer,
  startOfOrder,
} from '@merx/core/load/checkout-requests'
import { getAs, linkTo, sendAs, skusPage } from '@merx/core/load/core-requests'
import { openConnections, type Connections } from '@merx/load/connections'
import type { LoadRequest } from '@merx/load/exchange'
import { findFreePort } from '@merx/local-postgres/free-port'
import { fillMerx, readProductIds, type MerxShop } from './merx-fill.ts'
import type { Filling, Peer, Running, Storefront } from './peer.ts'
import { at, parse, sendTo, textAt } from './requests.ts'
import {
  databaseUrl,
  flushRedis,
  PEERS_FOLDER,
  query,
  recreateDatabase,
  redisUrl,
  ROOT,
  runProgram,
  startProgram,
  stopProgram,
  untilAnswered,
  type Environment,
} from './surroundings.ts'

const AUTH_DATABASE = 'peers_merx_auth'
const DATABASE = 'peers_merx'
const REDIS = 12
const SLUG = 'peers'
const SECRET = 'a-secret-of-a-benchmark-of-many-characters'
const FACTS = path.join(PEERS_FOLDER, 'merx-facts.json')

interface Credential {
  readonly clientId: string
  readonly clientSecret: string
}

interface Facts extends MerxShop {
  readonly products: number
  readonly marketToken: string
  readonly ids: readonly string[]
}

interface Services {
  readonly authUrl: string
  readonly coreUrl: string
  /** Where each says whether it is ready. */
  readonly internalUrls: readonly string[]
  readonly processes: Running['processes']
}

const SHARED: Environment = {
  HOST: '127.0.0.1',
  SERVICE_KEY: SECRET,
  ID_SECRET: SECRET,
  REDIS_URL: redisUrl(REDIS),
  AUTH_DATABASE_URL: databaseUrl(AUTH_DATABASE),
  CORE_DATABASE_URL: databaseUrl(DATABASE),
  // Load comes from one address; its limits count as always, but are never reached.
  RATE_LIMIT_SCALE: '1000000',
}

const startServices = async (): Promise<Services> => {
  const [auth, authInternal] = [await findFreePort(), await findFreePort()]
  const [core, coreInternal] = [await findFreePort(), await findFreePort()]
  const shared: Environment = {
    ...SHARED,
    AUTH_INTERNAL_URL: `http://127.0.0.1:${authInternal}`,
    CORE_INTERNAL_URL: `http://127.0.0.1:${coreInternal}`,
  }
  const start = (service: string, port: number, internal: number) =>
    startProgram({
      name: `Merx ${service}`,
      folder: path.join(ROOT, 'services', service),
      args: ['src/main.ts'],
      env: { ...shared, PORT: String(port), INTERNAL_PORT: String(internal) },
    })
  return {
    authUrl: `http://127.0.0.1:${auth}`,
    coreUrl: `http://127.0.0.1:${core}`,
    internalUrls: [authInternal, coreInternal].map((port) => `http://127.0.0.1:${port}`),
    processes: [start('core', core, coreInternal), start('auth', auth, authInternal)],
  }
}

const childrenOf = ({ processes }: Pick<Services, 'processes'>) => processes.map(({ child }) => child)

const stopServices = async (services: Pick<Services, 'processes'>): Promise<void> => {
  await Promise.all(childrenOf(services).map(stopProgram))
}

/** An organization with a storefront and an integration, made with the command line of auth. */
const provision = async () => {
  const merx = (...args: readonly string[]): Promise<string> =>
    runProgram({
      folder: path.join(ROOT, 'services', 'auth'),
      args: ['src/cli/merx.ts', ...args, '--json'],
      env: SHARED,
    })
  const credential = async (kind: string, ...args: readonly string[]): Promise<Credential> => {
    const made = await merx(
      ...['credentials', 'create', SLUG, '--mode', 'live', '--kind', kind, '--name', kind, ...args],
    )
    const answer = parse({ status: 200, headers: {}, body: made })
    return { clientId: textAt(answer, 'client_id'), clientSecret: textAt(answer, 'client_secret') }
  }
  await merx('organizations', 'create', '--slug', SLUG, '--name', 'Peers')
  await merx('roles', 'create', SLUG, '--name', 'Admin', '--kind', 'admin')
  return {
    storefront: await credential('sales_channel'),
    integration: await credential('integration', '--role', 'Admin'),
  }
}

const tokenOf = async (authUrl: string, { clientId, clientSecret }: Credential, scope?: string) => {
  const connections = openConnections(authUrl, 1)
  try {
    const body = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    }
    const request: LoadRequest = {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return textAt(await sendTo(connections)(request), 'access_token')
  } finally {
    await connections.close()
  }
}

const fill = async (filling: Filling): Promise<void> => {
  await recreateDatabase(AUTH_DATABASE)
  await recreateDatabase(DATABASE)
  await flushRedis(REDIS)
  const services = await startServices()
  const { authUrl, coreUrl, internalUrls } = services
  const connections = openConnections(coreUrl, 1)
  try {
    for (const url of internalUrls)
      await untilAnswered(url, { method: 'GET', path: '/health/ready' }, childrenOf(services))
    const { storefront, integration } = await provision()
    const shop = await fillMerx(connections, await tokenOf(authUrl, integration), filling)
    await query(DATABASE, 'VACUUM ANALYZE')
    const marketToken = await tokenOf(authUrl, storefront, `market:id:${shop.market}`)
    const ids = await readProductIds(connections, marketToken, filling.products)
    const facts: Facts = { ...shop, products: filling.products, marketToken, ids }
    writeFileSync(FACTS, JSON.stringify(facts))
  } finally {
    await connections.close()
    await stopServices(services)
  }
}

const addLine = (token: string, order: string, product: number): LoadRequest =>
  sendAs(token, 'POST', '/api/line_items', {
    type: 'line_items',
    attributes: { sku_code: `SKU-${product}`, quantity: 1 },
    relationships: { order: linkTo('orders', order) },
  })

const beginPurchase = (facts: Facts, connections: Connections, product: number, email: string) => {
  const { marketToken: token, paymentMethod, shippingMethod } = facts
  const send = sendTo(connections)
  let order = ''
  return {
    fillCart: async () => {
      order = textAt(await send(beginOrder(token)), 'data', 'id')
      await send(addLine(token, order, product))
    },
    checkOut: async () => {
      const address = textAt(await send(giveAddress(token)), 'data', 'id')
      await send(checkOut(token, order, { email, address, paymentMethod }))
      const shipments = await send(offerShipping(token, order))
      // Stock that went while the cart was filled leaves nothing to ship.
      if (at(shipments, 'data', 0) === undefined) throw new Error('out_of_stock: no shipment')
      await send(chooseShipping(token, textAt(shipments, 'data', 0, 'id'), shippingMethod))
    },
    pay: async () => {
      await send(payByTransfer(token, order))
    },
    place: async () => {
      const { status, body = '' } = await connections.send(startOfOrder(token, order, '_place'))
      if (status === 200) return true
      if (status === 422 && body.includes('"out_of_stock"')) return false
      throw new Error(`an order was refused: ${status} ${body.slice(0, 500)}`)
    },
  }
}

const storefrontOf = (url: string, facts: Facts): Storefront => {
  const { marketToken: token, ids } = facts
  return {
    url,
    listPage: (page) => skusPage(token, page, { include: 'prices' }),
    byId: (product) => getAs(token, `/api/skus/${ids[product - 1] ?? ''}`, { include: 'prices' }),
    isFullPage: (body) => at(parse({ status: 200, headers: {}, body }), 'data', 24) !== undefined,
    beginPurchase: (connections, product, email) => beginPurchase(facts, connections, product, email),
  }
}

const start = async (): Promise<Running> => {
  const facts = JSON.parse(readFileSync(FACTS, 'utf8')) as Facts
  const startedAt = performance.now()
  const services = await startServices()
  const storefront = storefrontOf(services.coreUrl, facts)
  await untilAnswered(storefront.url, storefront.listPage(1), childrenOf(services))
  const readyInMs = performance.now() - startedAt
  return {
    ...storefront,
    processes: services.processes,
    readyInMs,
    stop: () => stopServices(services),
  }
}

export const openMerx = (): Peer => ({
  name: 'Merx',
  version: 'this one',
  databases: [AUTH_DATABASE, DATABASE],
  requests: 8,
  fill,
  start,
  promised: async (product) => {
    const rows = await query<{ promised: number }>(
      DATABASE,
      `SELECT coalesce(sum(quantity), 0)::int AS promised FROM reserved_stocks
       WHERE sku_id = (SELECT id FROM skus WHERE code = $1)`,
      [`SKU-${product}`],
    )
    return rows[0]?.promised ?? 0
  },
})
