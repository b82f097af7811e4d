/** Stores of the demo, and the ways to pay and to deliver of its markets. */
import { MARKETS, PAYMENT_METHODS, SHIPPING_METHODS, STORES } from './blueprint.ts'
import type { MarketBlueprint, PaymentMethodBlueprint } from './blueprint.ts'
import { keyed } from './catalogue-target.ts'
import type { CatalogueTarget, Numbers } from './catalogue-target.ts'
import { copyRecords, numberOf } from './copy-records.ts'
import type { CopyRecord } from './copy-records.ts'
import { inMarket } from './market-prices.ts'

interface Sellers {
  readonly markets: Numbers
  readonly merchant: number
  readonly stockLocations: Numbers
}

export const loadMethods = async (target: CatalogueTarget, sellers: Sellers): Promise<void> => {
  const stores = await loadStores(target, sellers)
  await loadPaymentMethods(target, sellers.markets, stores)
  await loadShippingMethods(target, sellers.markets)
}

const loadStores = (
  target: CatalogueTarget,
  { markets, merchant, stockLocations }: Sellers,
): Promise<Numbers> =>
  keyed(target)(
    'stores',
    STORES.map(({ code, name, market, stockLocation }) => [
      code,
      {
        name,
        code,
        market_id: numberOf(markets, market),
        merchant_id: merchant,
        stock_location_id: stockLocation === undefined ? null : numberOf(stockLocations, stockLocation),
      },
    ]),
  )

const loadPaymentMethods = async (
  target: CatalogueTarget,
  markets: Numbers,
  stores: Numbers,
): Promise<void> => {
  const ofStores = STORES.flatMap(({ paymentMethods = [] }) => paymentMethods)
  const gateways = [...new Set([...PAYMENT_METHODS, ...ofStores].map(({ gateway }) => gateway))]
  const gatewayNumbers = await keyed(target)(
    'payment_gateways',
    gateways.map((name) => [name, { type: 'manual_gateways', name }]),
  )
  const method = (
    blueprint: PaymentMethodBlueprint,
    market: MarketBlueprint,
    storeCode?: string,
  ): CopyRecord => ({
    name: blueprint.name,
    payment_source_type: blueprint.sourceType,
    // Nobody can pay with it any more; orders of the past did.
    disabled_at: blueprint.isPast === true ? target.openedAt : null,
    currency_code: market.currency,
    price_amount_cents: inMarket(blueprint.priceCents, market),
    payment_gateway_id: numberOf(gatewayNumbers, blueprint.gateway),
    market_id: numberOf(markets, market.code),
    store_id: storeCode === undefined ? null : numberOf(stores, storeCode),
  })
  await copyRecords(target.client, 'payment_methods', target.environmentId, [
    ...MARKETS.flatMap((market) => PAYMENT_METHODS.map((blueprint) => method(blueprint, market))),
    ...STORES.flatMap(({ code, market, paymentMethods = [] }) =>
      paymentMethods.map((blueprint) => method(blueprint, marketOf(market), code)),
    ),
  ])
}

const loadShippingMethods = async (target: CatalogueTarget, markets: Numbers): Promise<void> => {
  await copyRecords(
    target.client,
    'shipping_methods',
    target.environmentId,
    MARKETS.flatMap((market) =>
      SHIPPING_METHODS.map(({ name, reference, priceCents, freeOverCents }) => ({
        name,
        reference: `${market.code}-${reference}`,
        reference_origin: 'demo',
        currency_code: market.currency,
        price_amount_cents: inMarket(priceCents, market),
        free_over_amount_cents: freeOverCents === null ? null : inMarket(freeOverCents, market),
        market_id: numberOf(markets, market.code),
      })),
    ),
  )
}

const marketOf = (code: string): MarketBlueprint => {
  const market = MARKETS.find((each) => each.code === code)
  if (market === undefined) throw new Error(`the demo has no market ${code}`)
  return market
}
