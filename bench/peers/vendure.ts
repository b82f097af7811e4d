/** Vendure, as its starter and its guide to production have it: a server and a worker, Redis for sessions and jobs. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'
import { findFreePort } from '@merx/local-postgres/free-port'
import { installPeer } from './install.ts'
import type { Filling, Peer, Running, Storefront } from './peer.ts'
import { ADDRESS, at, parse, textAt, type Json } from './requests.ts'
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

const VERSION = '3.7.3'
const DATABASE = 'peers_vendure'
const REDIS = 14

/** What its guide uses for lists of products: the search index, one result for each product. */
const LIST = `query ($skip: Int!) {
  search(input: { take: 25, skip: $skip, groupByProduct: true }) {
    totalItems
    items {
      productId productVariantId productName slug sku description inStock currencyCode
      priceWithTax { ... on SinglePrice { value } ... on PriceRange { min max } }
      productAsset { id preview }
    }
  }
}`

const PRODUCT = `query ($id: ID!) {
  product(id: $id) {
    id name slug description featuredAsset { id preview }
    variants { id name sku priceWithTax currencyCode stockLevel }
  }
}`

const ORDER = `__typename
  ... on Order {
    id code state totalWithTax currencyCode
    lines { id quantity linePriceWithTax productVariant { id name sku } }
  }
  ... on ErrorResult { errorCode message }`

const STEPS = {
  add: `mutation ($id: ID!) { done: addItemToOrder(productVariantId: $id, quantity: 1) { ${ORDER} } }`,
  customer: `mutation ($input: CreateCustomerInput!) { done: setCustomerForOrder(input: $input) { ${ORDER} } }`,
  addresses: `mutation ($input: CreateAddressInput!) {
    shipping: setOrderShippingAddress(input: $input) { ${ORDER} }
    done: setOrderBillingAddress(input: $input) { ${ORDER} }
  }`,
  methods: 'query { eligibleShippingMethods { id code name priceWithTax } }',
  ship: `mutation ($id: [ID!]!) { done: setOrderShippingMethod(shippingMethodId: $id) { ${ORDER} } }`,
  arrange: `mutation { done: transitionOrderToState(state: "ArrangingPayment") { ${ORDER} } }`,
  pay: `mutation ($input: PaymentInput!) { done: addPaymentToOrder(input: $input) { ${ORDER} } }`,
} as const

/** What fill.cjs writes. */
interface Facts {
  readonly items: readonly { readonly product: string; readonly variant: string }[]
}

const environmentOf = (port: number): Environment => ({
  DATABASE_URL: databaseUrl(DATABASE),
  REDIS_URL: redisUrl(REDIS),
  PORT: String(port),
  VENDURE_DISABLE_TELEMETRY: 'true',
})

const ask = (text: string, variables: Readonly<Record<string, unknown>> = {}, token = ''): LoadRequest => ({
  method: 'POST',
  path: '/shop-api',
  headers: {
    'content-type': 'application/json',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  },
  body: JSON.stringify({ query: text, variables }),
})

/** @throws Error when it is no good answer of GraphQL */
const dataOf = (answer: LoadAnswer): Json => {
  const whole = parse(answer)
  const data = at(whole, 'data')
  if (answer.status !== 200 || at(whole, 'errors') !== undefined || data === undefined)
    throw new Error(`refused: ${answer.status} ${(answer.body ?? '').slice(0, 500)}`)
  return data
}

const OUT_OF_STOCK = /insufficient.stock/i

const storefrontOf = (url: string, { items }: Facts): Storefront => ({
  url,
  listPage: (page) => ask(LIST, { skip: 25 * (page - 1) }),
  byId: (product) => ask(PRODUCT, { id: items[product - 1]?.product }),
  isFullPage: (body) =>
    at(parse({ status: 200, headers: {}, body }), 'data', 'search', 'items', 24) !== undefined,
  beginPurchase: ({ send }, product, email) => {
    let token = ''
    const step = async (text: string, variables?: Readonly<Record<string, unknown>>): Promise<Json> => {
      const answer = await send(ask(text, variables, token))
      const given = answer.headers['vendure-auth-token']
      if (typeof given === 'string') token = given
      return dataOf(answer)
    }
    const must = async (text: string, variables?: Readonly<Record<string, unknown>>): Promise<void> => {
      const data = await step(text, variables)
      if (at(data, 'done', '__typename') !== 'Order') throw new Error(`refused: ${JSON.stringify(data)}`)
    }
    return {
      fillCart: () => must(STEPS.add, { id: items[product - 1]?.variant }),
      checkOut: async () => {
        const { firstName, lastName } = ADDRESS
        await must(STEPS.customer, { input: { emailAddress: email, firstName, lastName } })
        await must(STEPS.addresses, {
          input: {
            fullName: `${firstName} ${lastName}`,
            streetLine1: ADDRESS.line,
            city: ADDRESS.city,
            postalCode: ADDRESS.zip,
            province: ADDRESS.state,
            countryCode: ADDRESS.country,
            phoneNumber: ADDRESS.phone,
          },
        })
        const offered = await step(STEPS.methods)
        await must(STEPS.ship, { id: [textAt(offered, 'eligibleShippingMethods', 0, 'id')] })
      },
      pay: () => must(STEPS.arrange),
      place: async () => {
        const data = await step(STEPS.pay, { input: { method: 'bank-transfer', metadata: {} } })
        if (at(data, 'done', 'state') === 'PaymentAuthorized') return true
        const refusal = JSON.stringify(data)
        if (OUT_OF_STOCK.test(refusal)) return false
        throw new Error(`an order was refused: ${refusal}`)
      },
    }
  },
})

/** Installs it when it is not there. */
export const openVendure = async (): Promise<Peer> => {
  const files = ['vendure-config', 'server', 'worker', 'fill'].map((name) => `${name}.cjs`)
  const folder = await installPeer({
    name: 'vendure',
    packages: {
      '@vendure/core': VERSION,
      '@vendure/harden-plugin': VERSION,
      '@vendure/job-queue-plugin': VERSION,
      bullmq: '5.81.5',
      ioredis: '5.11.1',
      pg: '8.23.1',
    },
    files: Object.fromEntries(files.map((file) => [`vendure/${file}`, file])),
  })
  const factsFile = path.join(folder, 'facts.json')
  const fill = async (filling: Filling): Promise<void> => {
    await recreateDatabase(DATABASE)
    await flushRedis(REDIS)
    const env = {
      ...environmentOf(0),
      PEERS_FILL: JSON.stringify(filling),
      PEERS_FACTS: factsFile,
      PGOPTIONS: '-c synchronous_commit=off',
    }
    await runProgram({ folder, args: ['fill.cjs'], env })
    // Jobs that keep the index up to date: it is whole already.
    await flushRedis(REDIS)
    await query(DATABASE, 'VACUUM ANALYZE')
  }
  const start = async (): Promise<Running> => {
    const facts = JSON.parse(readFileSync(factsFile, 'utf8')) as Facts
    const startedAt = performance.now()
    const port = await findFreePort()
    const processes = (['server', 'worker'] as const).map((part) =>
      startProgram({
        name: `Vendure ${part}`,
        folder,
        args: [`${part}.cjs`],
        env: environmentOf(port),
      }),
    )
    const storefront = storefrontOf(`http://127.0.0.1:${port}`, facts)
    return untilRunning(storefront, processes, startedAt)
  }
  return {
    name: 'Vendure',
    version: VERSION,
    databases: [DATABASE],
    requests: 7,
    fill,
    start,
    promised: async (product) => {
      const rows = await query<{ promised: number }>(
        DATABASE,
        `SELECT coalesce(sum(level."stockAllocated"), 0)::int AS promised FROM stock_level AS level
         JOIN product_variant AS variant ON variant.id = level."productVariantId" WHERE variant.sku = $1`,
        [`SKU-${product}`],
      )
      return rows[0]?.promised ?? 0
    },
  }
}
