/** Core's internal interface as auth uses it, over real HTTP, answering from plain lists. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { passwordMarkOf } from '@merx/passwords/password-mark'

interface Market {
  id: string
  code: string
  is_disabled: boolean
  customer_group_id: string | null
  stock_location_ids: string[]
  geocoder_id: string | null
  allows_external_prices: boolean
}

interface Customer {
  id: string
  email: string
  password: string
  customer_group_id: string | null
}

/** What one environment holds. Tests change it as they go. */
export interface FakeShop {
  markets: Market[]
  stores: { id: string; code: string; market_id: string; stock_location_id: string | null }[]
  stock_locations: { id: string; code: string; market_ids: string[] }[]
  customers: Customer[]
  /** Types that the organization has records of. */
  record_types: string[]
}

export interface FakeCore {
  readonly url: string
  /** The same in both modes and all organizations, unless a test looks at `calls`. */
  readonly shop: FakeShop
  readonly calls: { method: string; path: string; body: unknown; authorization: string | undefined }[]
  /** Every call is answered with this status while set. */
  failWith: number | undefined
  close(): Promise<void>
}

const market = (id: string, code: string, changes: Partial<Market> = {}): Market => ({
  id,
  code,
  is_disabled: false,
  customer_group_id: null,
  stock_location_ids: [`${code}StockAAAA`.slice(0, 10)],
  geocoder_id: null,
  allows_external_prices: false,
  ...changes,
})

export const createShop = (): FakeShop => ({
  markets: [
    market('marketEuAA', 'europe'),
    market('marketUsAA', 'usa', { geocoder_id: 'geocoderAA', allows_external_prices: true }),
    market('marketOldA', 'closed', { is_disabled: true }),
    market('marketVipA', 'club', { customer_group_id: 'groupGoldA' }),
  ],
  record_types: [],
  stores: [
    { id: 'storeMilan', code: 'milan', market_id: 'marketEuAA', stock_location_id: 'milanStock' },
    { id: 'storeRomeA', code: 'rome', market_id: 'marketEuAA', stock_location_id: null },
  ],
  stock_locations: [
    { id: 'europeStoc', code: 'eu-stock', market_ids: ['marketEuAA'] },
    { id: 'usaStockAA', code: 'us-stock', market_ids: ['marketUsAA'] },
  ],
  customers: [
    { id: 'customerAA', email: 'ann@example.com', password: 'correct horse', customer_group_id: null },
    {
      id: 'customerBB',
      email: 'bob@example.com',
      password: 'battery staple',
      customer_group_id: 'groupGoldA',
    },
  ],
})

const readJson = async (req: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

type Reference = { type: 'market' | 'store' | 'stock_location'; by: 'id' | 'code'; value: string }

const resolve = (shop: FakeShop, references: Reference[]) => {
  const lists = { market: shop.markets, store: shop.stores, stock_location: shop.stock_locations }
  const found = references.map((reference) => {
    const list: { id: string; code: string }[] = lists[reference.type]
    return { ...reference, id: list.find((item) => item[reference.by] === reference.value)?.id ?? null }
  })
  const ids = new Set(found.map(({ id }) => id))
  const stores = shop.stores.filter(({ id }) => ids.has(id))
  const marketIds = new Set([...ids, ...stores.map((store) => store.market_id)])
  return {
    references: found,
    markets: shop.markets.filter(({ id }) => marketIds.has(id)),
    stores,
    stock_locations: shop.stock_locations.filter(({ id }) => ids.has(id)),
  }
}

/** What stands for a hash is made of the password. */
const present = ({ password, ...customer }: Customer) => ({
  ...customer,
  password_mark: passwordMarkOf(password),
})

const answerOf = (shop: FakeShop, method: string, path: string, body: unknown): [number, unknown] => {
  const call = `${method} ${path}`
  if (call === 'POST /internal/scopes/resolve') {
    return [200, resolve(shop, (body as { references: Reference[] }).references)]
  }
  if (call === 'POST /internal/customers/authenticate') {
    const { email, password } = body as { email: string; password: string }
    const customer = shop.customers.find((each) => each.email === email && each.password === password)
    return customer === undefined ? [404, { errors: [] }] : [200, present(customer)]
  }
  if (call.startsWith('GET /internal/customers/')) {
    const customer = shop.customers.find((each) => each.id === path.split('/').at(-1))
    return customer === undefined ? [404, { errors: [] }] : [200, present(customer)]
  }
  if (call === 'GET /internal/record-types') return [200, { record_types: shop.record_types }]
  return call === 'PUT /internal/environments' ? [204, undefined] : [404, { errors: [] }]
}

export const startFakeCore = async (): Promise<FakeCore> => {
  const shop = createShop()
  const calls: FakeCore['calls'] = []
  const state: { failWith: number | undefined } = { failWith: undefined }
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = new URL(req.url ?? '/', 'http://core').pathname
    const body = await readJson(req)
    calls.push({ method: req.method ?? '', path, body, authorization: req.headers.authorization })
    const [status, answer] =
      state.failWith === undefined
        ? answerOf(shop, req.method ?? '', path, body)
        : [state.failWith, { errors: [] }]
    res.writeHead(status, { 'content-type': 'application/json' })
    res.end(answer === undefined ? undefined : JSON.stringify(answer))
  }
  const server = createServer((req, res) => void handle(req, res))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    shop,
    calls,
    get failWith() {
      return state.failWith
    },
    set failWith(status) {
      state.failWith = status
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
