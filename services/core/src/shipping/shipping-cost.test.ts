import { costOf, isAvailable } from './shipping-cost.ts'
import type { MethodFacts, ShipmentFacts } from './shipping-cost.ts'

const flat: MethodFacts = {
  id: 1,
  scheme: 'flat',
  currencyCode: 'EUR',
  priceCents: 700,
  freeOverCents: null,
  usesSubtotal: false,
  minWeight: null,
  maxWeight: null,
  unitOfWeight: null,
  marketId: null,
  categoryId: null,
  stockLocationId: null,
  isDisabled: false,
  zone: undefined,
  tiers: [],
}

const shipment: ShipmentFacts = {
  currencyCode: 'EUR',
  marketId: 1,
  address: { country_code: 'IT', state_code: 'TO', zip_code: '10100' },
  categoryId: 7,
  stockLocationId: 3,
  ignoresCategory: false,
  weightGrams: 1500,
  totalCents: 9000,
  subtotalCents: 10_000,
  position: 0,
  costCutoff: null,
}

const italy = { country_code_regex: '^IT$' }

describe('a shipping method', () => {
  it.each<[string, boolean, Partial<MethodFacts>, Partial<ShipmentFacts>]>([
    ['without limits', true, {}, {}],
    ['that is disabled', false, { isDisabled: true }, {}],
    ['in another currency', false, { currencyCode: 'USD' }, {}],
    ['of the market', true, { marketId: 1 }, {}],
    ['of another market', false, { marketId: 2 }, {}],
    ['of the stock location', true, { stockLocationId: 3 }, {}],
    ['of another stock location', false, { stockLocationId: 4 }, {}],
    ['of the shipping category', true, { categoryId: 7 }, {}],
    ['of another shipping category', false, { categoryId: 8 }, {}],
    [
      'of another shipping category, which no_split ignores',
      true,
      { categoryId: 8 },
      { ignoresCategory: true },
    ],
    ['whose zone has the address', true, { zone: italy }, {}],
    ['whose zone has not the address', false, { zone: { not_country_code_regex: '^IT$' } }, {}],
    ['with a zone, before there is an address', false, { zone: italy }, { address: undefined }],
    ['for at least its weight', true, { minWeight: 1500, unitOfWeight: 'gr' }, {}],
    ['for more than its weight', false, { minWeight: 1501, unitOfWeight: 'gr' }, {}],
    ['for at most its weight in pounds', true, { maxWeight: 3.4, unitOfWeight: 'lb' }, {}],
    ['for less than its weight in pounds', false, { maxWeight: 3.3, unitOfWeight: 'lb' }, {}],
  ])('%s is available: %s', (_case, expected, method, of) => {
    expect(isAvailable({ ...flat, ...method }, { ...shipment, ...of })).toBe(expected)
  })

  const tiers = [
    { upTo: null, priceCents: 5000 },
    { upTo: 2000, priceCents: 1500 },
    { upTo: 1500, priceCents: 1000 },
  ]
  const tiered = { scheme: 'weight_tiered', unitOfWeight: 'gr', tiers }

  it.each<[string, number, Partial<MethodFacts>, Partial<ShipmentFacts>]>([
    ['its price', 700, {}, {}],
    ['nothing over an amount', 0, { freeOverCents: 8999 }, {}],
    ['its price at that amount', 700, { freeOverCents: 9000 }, {}],
    ['nothing when the subtotal is over the amount', 0, { freeOverCents: 9500, usesSubtotal: true }, {}],
    ['the lowest tier that holds the weight', 1000, tiered, {}],
    ['the next tier one gram later', 1500, tiered, { weightGrams: 1501 }],
    ['the tier without limit beyond the others', 5000, tiered, { weightGrams: 2001 }],
    [
      'its price when no tier holds the weight',
      700,
      { ...tiered, tiers: tiers.slice(1) },
      { weightGrams: 2001 },
    ],
    ['nothing over an amount, whatever the tier', 0, { ...tiered, freeOverCents: 1 }, {}],
    ['its price up to the cutoff', 700, {}, { position: 0, costCutoff: 1 }],
    ['nothing after the cutoff', 0, {}, { position: 1, costCutoff: 1 }],
  ])('costs %s', (_case, expected, method, of) => {
    expect(costOf({ ...flat, ...method }, { ...shipment, ...of })).toBe(expected)
  })
})
