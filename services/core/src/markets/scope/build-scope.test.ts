import type { Caller } from '@merx/access-token/caller'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import type { MarketFacts, RequestScope, ScopeFacts } from '../../access/request-scope.ts'
import { buildScope as build } from './build-scope.ts'
import { scopeReferences as references } from './scope-references.ts'
import type { ScopeReferences } from './scope-references.ts'

const buildScope = (caller: Caller, facts: ScopeFacts): RequestScope => build(caller, facts, testIds)
const scopeReferences = (caller: Caller): ScopeReferences => references(caller, testIds)

const caller = (more: Partial<Caller> = {}, kind = 'sales_channel'): Caller => ({
  tokenId: '6f1c2b9e-1f43-4f6e-9d57-6d5d3f7b2c11',
  organization: { id: 'enWoxFMOnp', slug: 'brand' },
  mode: 'test',
  application: { id: 'DNOPYiZYpn', clientId: 'c', kind, isPublic: true, isConfidential: false },
  scope: '',
  expiresAt: new Date('2026-11-20T12:00:00Z'),
  ...more,
})

const inMarket = (...numbers: number[]) => ({
  market: { ids: numbers.map((number) => encodeId('markets', number)), stockLocationIds: [] },
})

const market: MarketFacts = {
  id: 1,
  priceListId: 10,
  basePriceListId: 10,
  currencyCode: 'EUR',
  isDisabled: false,
  hasExternalPrices: false,
  strategy: 'split_shipments',
  stockLocationsCutoff: 2,
  stockLocationIds: [5, 6, 7],
}

const facts: ScopeFacts = { environmentId: 3, seesGuestOrdersOnly: true, markets: [market] }

describe('the price lists of a market', () => {
  it('are the list in force alone while that is the base list', () => {
    const [one] = buildScope(caller(inMarket(1)), facts).markets ?? []
    expect(one).toMatchObject({ priceListId: 10 })
    expect(one).not.toHaveProperty('basePriceListId')
  })

  it('are both while another list is in force', () => {
    const switched = { ...facts, markets: [{ ...market, priceListId: 20 }] }
    const [one] = buildScope(caller(inMarket(1)), switched).markets ?? []
    expect(one).toMatchObject({ priceListId: 20, basePriceListId: 10 })
  })
})

describe('scopeReferences', () => {
  it('decodes what the token names', () => {
    const store = { id: encodeId('stores', 4) }
    const stockLocation = { id: encodeId('stock_locations', 5) }
    expect(scopeReferences(caller({ ...inMarket(1, 2), store, stockLocation }))).toEqual({
      markets: [1, 2],
      storeId: 4,
      stockLocationId: 5,
    })
  })

  it('lets ids that are none refer to nothing', () => {
    expect(
      scopeReferences(caller({ market: { ids: ['nonsense'], stockLocationIds: [] }, store: { id: 'x' } })),
    ).toMatchObject({
      markets: [-1],
      storeId: -1,
    })
  })

  it.each([
    [
      'an integration with the role admin',
      'integration',
      { role: { id: 'r', kind: 'admin', permissions: [] } } as const,
      undefined,
    ],
    [
      'an integration with the role read_only',
      'integration',
      { role: { id: 'r', kind: 'read_only', permissions: [] } } as const,
      undefined,
    ],
    [
      'an integration with a custom role',
      'integration',
      { role: { id: 'r', kind: 'custom', permissions: [] } } as const,
      [1],
    ],
    [
      'a webapp with the role admin',
      'webapp',
      { role: { id: 'r', kind: 'admin', permissions: [] } } as const,
      [1],
    ],
    ['a sales channel', 'sales_channel', {}, [1]],
  ])('of %s: markets %p', (_name, kind, more, markets) => {
    expect(scopeReferences(caller({ ...inMarket(1), ...more }, kind)).markets).toEqual(markets)
  })

  it('opens public markets to a sales channel without one, and narrows nobody else', () => {
    expect(scopeReferences(caller()).markets).toBe('public')
    expect(scopeReferences(caller({}, 'webapp')).markets).toBeUndefined()
  })
})

describe('buildScope', () => {
  it('takes over environment, organization and mode', () => {
    expect(buildScope(caller({}, 'webapp'), facts)).toEqual({
      environmentId: 3,
      organizationId: 'enWoxFMOnp',
      mode: 'test',
    })
  })

  it('drops disabled markets', () => {
    const scope = buildScope(caller(inMarket(1)), { ...facts, markets: [{ ...market, isDisabled: true }] })
    expect(scope.markets).toEqual([])
    expect(scope.inventory).toBeUndefined()
  })

  it('counts the locations of the inventory model, the best up to the cutoff', () => {
    const scope = buildScope(caller(inMarket(1)), facts)
    expect(scope.markets?.[0]?.stockLocationIds).toEqual([5, 6, 7])
    expect(scope.inventory).toEqual({ stockLocationIds: [5, 6] })
  })

  const withStore = (stockLocationId: number | null) => ({
    ...facts,
    store: { id: 4, marketId: 1, stockLocationId },
  })
  const inStore = caller({ ...inMarket(1), store: { id: encodeId('stores', 4) } })

  it("puts the store's location first and one more location in", () => {
    const scope = buildScope(inStore, withStore(9))
    expect(scope.markets?.[0]?.stockLocationIds).toEqual([9, 5, 6, 7])
    expect(scope.inventory).toEqual({ stockLocationIds: [9, 5, 6] })
  })

  it("moves the store's location to the front when the market has it already", () => {
    expect(buildScope(inStore, withStore(6)).inventory).toEqual({ stockLocationIds: [6, 5, 7] })
  })

  it('keeps the cutoff of a store without a location', () => {
    expect(buildScope(inStore, withStore(null)).inventory).toEqual({ stockLocationIds: [5, 6] })
  })

  it("leaves no market but the store's", () => {
    const elsewhere = { ...facts, store: { id: 4, marketId: 2, stockLocationId: null } }
    expect(buildScope(inStore, elsewhere).markets).toEqual([])
    expect(buildScope(inStore, facts).markets).toEqual([])
  })

  it.each([
    [6, [6]],
    [7, [7]], // beyond the cutoff, but asked for
    [8, []],
  ])('restricts to the stock location %d in scope: %p', (number, locations) => {
    const scope = buildScope(
      caller({ ...inMarket(1), stockLocation: { id: encodeId('stock_locations', number) } }),
      facts,
    )
    expect(scope.markets?.[0]?.stockLocationIds).toEqual(locations)
    expect(scope.inventory?.stockLocationIds).toEqual(locations)
  })

  it.each([
    ['of a store without one', null, undefined, [5]],
    ['of the store', 9, undefined, [9]],
    ['in scope', 9, 6, [6]],
  ])('counts the location %s alone with the strategy no_split', (_name, own, only, locations) => {
    const noSplit = { ...withStore(own), markets: [{ ...market, strategy: 'no_split' }] }
    const stockLocation = { stockLocation: { id: encodeId('stock_locations', only ?? 0) } }
    const scope = buildScope({ ...inStore, ...(only === undefined ? {} : stockLocation) }, noSplit)
    expect(scope.inventory?.stockLocationIds).toEqual(locations)
  })

  it.each([1, 2, 3, 4, 10])(
    'with a store counts the best %d + 1 of its and the market’s locations',
    (stockLocationsCutoff) => {
      const cut = { ...withStore(9), markets: [{ ...market, stockLocationsCutoff }] }
      expect(buildScope(inStore, cut).inventory?.stockLocationIds).toEqual(
        [9, 5, 6, 7].slice(0, stockLocationsCutoff + 1),
      )
      const without = { ...withStore(null), markets: [{ ...market, stockLocationsCutoff }] }
      expect(buildScope(inStore, without).inventory?.stockLocationIds).toEqual(
        [5, 6, 7].slice(0, stockLocationsCutoff),
      )
    },
  )

  it('counts one location with the strategy no_split', () => {
    const scope = buildScope(caller(inMarket(1)), {
      ...facts,
      markets: [{ ...market, strategy: 'no_split' }],
    })
    expect(scope.inventory).toEqual({ stockLocationIds: [5] })
    expect(scope.markets?.[0]?.stockLocationIds).toEqual([5, 6, 7])
  })

  it('names the store and the stock location in scope, and what restricts a role', () => {
    const permissions = [{ subject: 'orders', actions: [], restrictions: { fields: { read: ['number'] } } }]
    const who = caller(
      {
        ...inMarket(1),
        store: { id: encodeId('stores', 4) },
        stockLocation: { id: encodeId('stock_locations', 6) },
        role: { id: 'r', kind: 'custom', permissions },
      },
      'webapp',
    )
    expect(buildScope(who, withStore(9))).toStrictEqual({
      environmentId: 3,
      organizationId: 'enWoxFMOnp',
      mode: 'test',
      restrictions: { orders: { fields: { read: ['number'] } } },
      markets: [{ id: 1, priceListId: 10, currencyCode: 'EUR', stockLocationIds: [6] }],
      storeId: 4,
      inventory: { stockLocationIds: [6] },
      stockLocationId: 6,
    })
  })

  it('names nothing that is not there', () => {
    const bare = buildScope(caller({}, 'webapp'), facts)
    expect(Object.keys(bare)).toEqual(['environmentId', 'organizationId', 'mode'])
    const guest = buildScope(caller(inMarket(1)), facts)
    expect(Object.keys(guest.salesChannel ?? {})).toEqual(['seesGuestOrdersOnly'])
  })

  it('says where prices come from outside', () => {
    const outside = { ...facts, markets: [{ ...market, hasExternalPrices: true, basePriceListId: null }] }
    expect(buildScope(caller(inMarket(1)), outside).markets).toStrictEqual([
      {
        id: 1,
        priceListId: 10,
        currencyCode: 'EUR',
        stockLocationIds: [5, 6, 7],
        hasExternalPrices: true,
      },
    ])
  })

  it('of a store without a named market has the market of the store', () => {
    const store = { id: encodeId('stores', 4) }
    expect(scopeReferences(caller({ store }))).toStrictEqual({
      markets: [],
      storeId: 4,
      stockLocationId: undefined,
    })
    expect(scopeReferences(caller({ store }, 'integration'))).toStrictEqual({
      markets: undefined,
      storeId: undefined,
      stockLocationId: undefined,
    })
  })

  it('knows the customer a sales channel speaks for', () => {
    const owner = { id: encodeId('customers', 12), type: 'Customer' } as const
    expect(buildScope(caller({ ...inMarket(1), owner }), facts).salesChannel).toEqual({
      customerId: 12,
      seesGuestOrdersOnly: true,
    })
    expect(buildScope(caller(inMarket(1)), facts).salesChannel).toEqual({ seesGuestOrdersOnly: true })
  })
})
