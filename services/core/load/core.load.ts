import type { Caller, CallerOf } from '@merx/load/closed-loop'
import type { LoadRequest } from '@merx/load/exchange'
import type { LoadOperation, LoadScenario } from '@merx/load/scenario'
import {
  addLine,
  changeSku,
  createCustomer,
  createOrder,
  createSku,
  getAs,
  skusPage,
} from './core-requests.ts'
import { encodeId } from './load-ids.ts'
import { openCoreSurroundings } from './start-core.ts'
import type { LoadedCore } from './start-core.ts'

const SKUS = 20_000
const PAGE_SIZE = 25
/** Of the pages of a shop, those that its visitors look at. */
const PAGES_SEEN = 40

interface Created {
  readonly data?: { readonly id?: string }
}

/** A request for each turn of each connection; turns of two connections are never the same. */
const each =
  (request: (turn: number) => LoadRequest): CallerOf =>
  (connection) => {
    let turn = connection * 1_000_003
    return { next: () => request(turn++) }
  }

/** First what makes something, then what uses its id, and so on. */
const creatingThen =
  (create: (turn: number) => LoadRequest, use: (id: string, turn: number) => LoadRequest): CallerOf =>
  (connection): Caller => {
    let turn = connection * 1_000_003
    let following: LoadRequest | undefined
    return {
      next: () => following ?? create(turn++),
      onAnswer: ({ status, body }) => {
        const { data } = (
          following === undefined && status === 201 ? JSON.parse(body ?? '{}') : {}
        ) as Created
        following = data?.id === undefined ? undefined : use(data.id, turn)
      },
    }
  }

/** A code that neither this run nor another has made before; callers start again with each profile. */
const freshCode = (): string => `${RUN}-${(made += 1)}`
const RUN = Date.now().toString(36)
let made = 0

const skuIdIn =
  ({ skus }: LoadedCore) =>
  (turn: number): string =>
    encodeId('skus', 1 + ((turn * 7_919) % skus))

/** Codes of fillShop begin with two letters and two digits. */
const codeStart = (turn: number): string =>
  String.fromCharCode(65 + (turn % 26)) + String.fromCharCode(65 + (Math.floor(turn / 26) % 26))

type IdOf = (turn: number) => string

const visiting = (token: string, skuId: IdOf): readonly LoadOperation[] => [
  { name: 'page of a shop', weight: 30, callerOf: each((turn) => skusPage(token, 1 + (turn % PAGES_SEEN))) },
  {
    name: 'page by code',
    weight: 8,
    callerOf: each((turn) => skusPage(token, 1, { 'filter[q][code_start]': codeStart(turn) })),
  },
  {
    name: 'page sorted by name with sparse fields',
    weight: 1,
    callerOf: each((turn) =>
      skusPage(token, 1 + (turn % PAGES_SEEN), { sort: '-name', 'fields[skus]': 'code,name,image_url' }),
    ),
  },
  {
    name: 'prices of a shop',
    weight: 6,
    callerOf: each((turn) => getAs(token, '/api/prices', { 'filter[q][sku_id_eq]': skuId(turn) })),
  },
]

const keeping = (token: string, category: string, skuId: IdOf): readonly LoadOperation[] => [
  {
    name: 'SKU with prices and stock',
    weight: 20,
    callerOf: each((turn) =>
      getAs(token, `/api/skus/${skuId(turn)}`, { include: 'prices,stock_items,shipping_category' }),
    ),
  },
  {
    name: 'prices filtered through SKU and list',
    weight: 6,
    callerOf: each((turn) =>
      getAs(token, '/api/prices', {
        'filter[q][sku_id_eq]': skuId(turn),
        'filter[q][price_list_code_eq]': `list-${1 + (turn % 5)}`,
        include: 'price_list',
      }),
    ),
  },
  {
    name: 'stock of a location below a level',
    weight: 4,
    callerOf: each((turn) =>
      getAs(token, '/api/stock_items', {
        'filter[q][stock_location_code_eq]': `location-${1 + (turn % 6)}`,
        'filter[q][quantity_lt]': '3',
        'page[size]': String(PAGE_SIZE),
      }),
    ),
  },
  {
    name: 'SKU created',
    weight: 6,
    callerOf: each(() => createSku(token, freshCode(), category)),
  },
  {
    name: 'SKU changed',
    weight: 8,
    callerOf: each((turn) => changeSku(token, skuId(turn), { name: `Article ${turn}` })),
  },
  {
    name: 'customer created',
    weight: 2,
    callerOf: each(() => createCustomer(token, `${freshCode()}@example.com`)),
  },
  {
    name: 'history of a SKU',
    weight: 2,
    callerOf: each((turn) => getAs(token, `/api/skus/${skuId(turn)}/versions`, { sort: '-id' })),
  },
]

const buying = (token: string, skus: number): readonly LoadOperation[] => [
  {
    name: 'order begun, line added',
    weight: 5,
    callerOf: creatingThen(
      () => createOrder(token, encodeId('markets', 1)),
      (order, turn) => addLine(token, order, encodeId('skus', sellable(turn, skus)), 1 + (turn % 3)),
    ),
  },
  {
    name: 'orders in the making',
    weight: 2,
    callerOf: each(() =>
      getAs(token, '/api/orders', { 'filter[q][status_in]': 'draft,pending', sort: '-id' }),
    ),
  },
]

/** A SKU that fillShop gives a price in list 1 and stock in its locations. */
const sellable = (turn: number, skus: number): number => {
  for (let number = 1 + ((turn * 31) % (skus - 100)); ; number += 1) {
    const isPriced = (number * 7 + 1) % 10 !== 0
    const isStocked = number % 6 !== 0 && number % 100 > 3
    if (isPriced && isStocked) return number
  }
}

const operationsOf = (core: LoadedCore): readonly LoadOperation[] => {
  const { adminToken, marketToken, ids } = core.target.facts
  const skuId = skuIdIn(core)
  return [
    ...visiting(marketToken, skuId),
    ...keeping(adminToken, ids.shippingCategory, skuId),
    ...buying(adminToken, core.skus),
  ]
}

/** The mix on a shop of so many SKUs. */
export const openMix =
  (skus: number): LoadScenario['open'] =>
  async ({ defer, say }) => {
    const surroundings = await openCoreSurroundings(say)
    defer(surroundings.close)
    const core = await surroundings.start('mix', skus)
    return { target: core.target, operations: operationsOf(core) }
  }

export const scenario: LoadScenario = {
  summary:
    'Core with its own PostgreSQL and Redis, auth recorded, a shop of 20,000 SKUs: visitors who page and search, back offices that look up, create and change, and orders that are begun and filled.',
  open: openMix(SKUS),
}
