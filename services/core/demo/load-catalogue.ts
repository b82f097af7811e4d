/** Stores the blueprint of the demo shop in one environment: everything but customers and orders. */
import { CUSTOMER_GROUPS, MARKETS, SHIPPING_CATEGORIES, STOCK_LOCATIONS, TAGS } from './blueprint.ts'
import { keyed } from './catalogue-target.ts'
import type { CatalogueTarget, Numbers } from './catalogue-target.ts'
import { numberOf } from './copy-records.ts'
import type { CopyRecord } from './copy-records.ts'
import { loadMethods } from './load-methods.ts'
import { loadProducts } from './load-products.ts'
import { COUNTRIES } from './people.ts'

interface Places {
  readonly merchant: number
  readonly stockLocations: Numbers
}

export const loadCatalogue = async (target: CatalogueTarget): Promise<void> => {
  const store = keyed(target)
  const groups = await store(
    'customer_groups',
    CUSTOMER_GROUPS.map(({ code, name }) => [code, { name, code }]),
  )
  const categories = await store(
    'shipping_categories',
    SHIPPING_CATEGORIES.map(({ key, code, name }) => [key, { name, code }]),
  )
  const places = await loadPlaces(target)
  const priceLists = await store(
    'price_lists',
    MARKETS.map(({ code, name, currency, taxIncluded }) => [
      code,
      { name: `${name} ${currency}`, code, currency_code: currency, tax_included: taxIncluded },
    ]),
  )
  const markets = await loadMarkets(target, places, priceLists, groups)
  await store('price_list_schedulers', [['opening', openingOf(target, markets, priceLists)]])
  await loadMethods(target, { markets, ...places })
  await store(
    'tags',
    TAGS.map((name) => [name, { name }]),
  )
  await loadProducts(target, { categories, priceLists, stockLocations: places.stockLocations })
}

const DAY_MS = 86_400_000

/** Over since long: when the shop opened, everybody in Europe had the prices of the club for three days. */
const openingOf = (
  { openedAt }: Pick<CatalogueTarget, 'openedAt'>,
  markets: Numbers,
  priceLists: Numbers,
): CopyRecord => ({
  name: 'Opening days: club prices for everybody',
  starts_at: openedAt,
  expires_at: new Date(openedAt.getTime() + 3 * DAY_MS),
  market_id: numberOf(markets, 'EU'),
  price_list_id: numberOf(priceLists, 'VIP'),
})

const addressOf = (company: string, countryCode: string): CopyRecord => {
  const country = COUNTRIES[countryCode]
  const [city, state, zip, lat, lng] = country?.cities[0] ?? ['', null, '', 0, 0]
  return {
    business: true,
    company,
    line_1: `${country?.streets[0] ?? ''} 1`,
    city,
    state_code: state,
    zip_code: zip,
    country_code: countryCode,
    phone: `${country?.phone ?? ''} 555 0100`,
    email: 'warehouse@example.com',
    lat,
    lng,
    is_geocoded: true,
    provider_name: 'google',
  }
}

const loadPlaces = async (target: CatalogueTarget): Promise<Places> => {
  const store = keyed(target)
  const addresses = await store('addresses', [
    ['merchant', addressOf('Merx Goods', 'IT')],
    ...STOCK_LOCATIONS.map(({ code, name, country }) => [code, addressOf(name, country)] as const),
  ])
  const merchants = await store('merchants', [
    ['merchant', { name: 'Merx Goods', address_id: numberOf(addresses, 'merchant') }],
  ])
  const stockLocations = await store(
    'stock_locations',
    STOCK_LOCATIONS.map(({ code, name }, index) => [
      code,
      { number: index + 1, name, code, address_id: numberOf(addresses, code) },
    ]),
  )
  await skipNumbers(target, 'stock_locations', STOCK_LOCATIONS.length)
  return { merchant: numberOf(merchants, 'merchant'), stockLocations }
}

/** Numbers given by hand are taken out of the environment's sequence. */
const skipNumbers = async (
  { client, environmentId }: CatalogueTarget,
  kind: string,
  count: number,
): Promise<void> => {
  await client.query('SELECT next_number($1, $2) FROM generate_series(1, $3)', [kind, environmentId, count])
}

const loadMarkets = async (
  target: CatalogueTarget,
  places: Places,
  priceLists: Numbers,
  groups: Numbers,
): Promise<Numbers> => {
  const store = keyed(target)
  const models = await store(
    'inventory_models',
    MARKETS.map(({ code, name, cutoff, strategy }) => [
      code,
      { name, strategy, stock_locations_cutoff: cutoff },
    ]),
  )
  await store(
    'inventory_stock_locations',
    MARKETS.flatMap(({ code, stockLocations }) =>
      stockLocations.map(
        (location, index) =>
          [
            `${code}/${location}`,
            {
              inventory_model_id: numberOf(models, code),
              stock_location_id: numberOf(places.stockLocations, location),
              priority: index + 1,
            },
          ] as const,
      ),
    ),
  )
  await store(
    'inventory_return_locations',
    MARKETS.flatMap(({ code, stockLocations: [primary] }) =>
      primary === undefined
        ? []
        : [
            [
              `${code}/${primary}`,
              {
                inventory_model_id: numberOf(models, code),
                stock_location_id: numberOf(places.stockLocations, primary),
                priority: 1,
              },
            ] as const,
          ],
    ),
  )
  const markets = await store(
    'markets',
    MARKETS.map(({ code, name, customerGroup }, index) => [
      code,
      {
        number: index + 1,
        name,
        code,
        merchant_id: places.merchant,
        price_list_id: numberOf(priceLists, code),
        inventory_model_id: numberOf(models, code),
        customer_group_id: customerGroup === undefined ? null : numberOf(groups, customerGroup),
      },
    ]),
  )
  await skipNumbers(target, 'markets', MARKETS.length)
  return markets
}
