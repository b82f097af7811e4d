/** Medusa, as its deployment guide has it: a server and a worker, Redis for caching, events, workflows and locks. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { LoadRequest } from '@merx/load/exchange'
import { findFreePort } from '@merx/local-postgres/free-port'
import { installPeer } from './install.ts'
import type { Filling, Peer, Running, Storefront } from './peer.ts'
import { ADDRESS, at, parse, sendTo, textAt } from './requests.ts'
import {
  databaseUrl,
  flushRedis,
  query,
  recreateDatabase,
  redisUrl,
  runProgram,
  startProgram,
  untilRunning,
  type Environment,
} from './surroundings.ts'

const VERSION = '2.21.2'
const DATABASE = 'peers_medusa'
const REDIS = 13
const CLI = 'node_modules/@medusajs/cli/cli.js'

/** What the storefront of Medusa's starter asks of products. */
const FIELDS = '*variants.calculated_price,+variants.inventory_quantity'

/** What fill.cjs writes. */
interface Facts {
  readonly token: string
  readonly region: string
  readonly shipping: string
  readonly items: readonly { readonly product: string; readonly variant: string }[]
}

const ENVIRONMENT: Environment = {
  DATABASE_URL: databaseUrl(DATABASE),
  REDIS_URL: redisUrl(REDIS),
  MEDUSA_DISABLE_TELEMETRY: 'true',
}

const storefrontOf = (url: string, { token, region, shipping, items }: Facts): Storefront => {
  const headers = { 'x-publishable-api-key': token, 'content-type': 'application/json' }
  const get = (to: string, search: Readonly<Record<string, string>>): LoadRequest => ({
    method: 'GET',
    path: `${to}?${new URLSearchParams(search).toString()}`,
    headers,
  })
  const post = (to: string, body: object): LoadRequest => ({
    method: 'POST',
    path: to,
    headers,
    body: JSON.stringify(body),
  })
  const address = {
    first_name: ADDRESS.firstName,
    last_name: ADDRESS.lastName,
    address_1: ADDRESS.line,
    city: ADDRESS.city,
    postal_code: ADDRESS.zip,
    province: ADDRESS.state,
    country_code: ADDRESS.country.toLowerCase(),
    phone: ADDRESS.phone,
  }
  return {
    url,
    listPage: (page) =>
      get('/store/products', {
        limit: '25',
        offset: String(25 * (page - 1)),
        region_id: region,
        fields: FIELDS,
      }),
    byId: (product) =>
      get(`/store/products/${items[product - 1]?.product ?? ''}`, { region_id: region, fields: FIELDS }),
    isFullPage: (body) => at(parse({ status: 200, headers: {}, body }), 'products', 24) !== undefined,
    beginPurchase: (connections, product, email) => {
      const send = sendTo(connections)
      let cart = ''
      return {
        fillCart: async () => {
          cart = textAt(await send(post('/store/carts', { region_id: region })), 'cart', 'id')
          const line = { variant_id: items[product - 1]?.variant, quantity: 1 }
          await send(post(`/store/carts/${cart}/line-items`, line))
        },
        checkOut: async () => {
          await send(
            post(`/store/carts/${cart}`, { email, shipping_address: address, billing_address: address }),
          )
          await send(get('/store/shipping-options', { cart_id: cart }))
          await send(post(`/store/carts/${cart}/shipping-methods`, { option_id: shipping }))
        },
        pay: async () => {
          const made = await send(post('/store/payment-collections', { cart_id: cart }))
          const collection = textAt(made, 'payment_collection', 'id')
          const session = { provider_id: 'pp_system_default' }
          await send(post(`/store/payment-collections/${collection}/payment-sessions`, session))
        },
        place: async () => {
          const answer = await connections.send(post(`/store/carts/${cart}/complete`, {}))
          const body = answer.body ?? ''
          if (answer.status === 200 && at(parse(answer), 'type') === 'order') return true
          if (/insufficient_inventory|not enough stock|required inventory/i.test(body)) return false
          throw new Error(`an order was refused: ${answer.status} ${body.slice(0, 500)}`)
        },
      }
    },
  }
}

/** Installs it when it is not there. */
export const openMedusa = async (): Promise<Peer> => {
  const folder = await installPeer({
    name: 'medusa',
    packages: {
      '@medusajs/cli': VERSION,
      '@medusajs/framework': VERSION,
      '@medusajs/medusa': VERSION,
    },
    files: { 'medusa/medusa-config.cjs': 'medusa-config.js', 'medusa/fill.cjs': 'fill.js' },
  })
  const factsFile = path.join(folder, 'facts.json')
  const fill = async (filling: Filling): Promise<void> => {
    await recreateDatabase(DATABASE)
    await flushRedis(REDIS)
    const env = {
      ...ENVIRONMENT,
      PEERS_FILL: JSON.stringify(filling),
      PEERS_FACTS: factsFile,
      PGOPTIONS: '-c synchronous_commit=off',
    }
    await runProgram({ folder, args: [CLI, 'db:migrate'], env })
    await runProgram({ folder, args: [CLI, 'exec', './fill.js'], env })
    await query(DATABASE, 'VACUUM ANALYZE')
  }
  const start = async (): Promise<Running> => {
    const facts = JSON.parse(readFileSync(factsFile, 'utf8')) as Facts
    const startedAt = performance.now()
    const run = async (mode: 'server' | 'worker', port: number) =>
      startProgram({
        name: `Medusa ${mode}`,
        folder,
        args: [CLI, 'start', '--host', '127.0.0.1', '--port', String(port)],
        env: { ...ENVIRONMENT, MEDUSA_WORKER_MODE: mode },
      })
    const port = await findFreePort()
    const processes = [await run('server', port), await run('worker', await findFreePort())]
    const storefront = storefrontOf(`http://127.0.0.1:${port}`, facts)
    return untilRunning(storefront, processes, startedAt)
  }
  return {
    name: 'Medusa',
    version: VERSION,
    databases: [DATABASE],
    requests: 8,
    fill,
    start,
    promised: async (product) => {
      const rows = await query<{ promised: number }>(
        DATABASE,
        `SELECT coalesce(sum(level.reserved_quantity), 0)::int AS promised FROM inventory_level AS level
         JOIN inventory_item AS item ON item.id = level.inventory_item_id WHERE item.sku = $1`,
        [`SKU-${product}`],
      )
      return rows[0]?.promised ?? 0
    },
  }
}
