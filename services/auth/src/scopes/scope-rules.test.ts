import { parseScope } from '@merx/access-token/parse-scope'
import { AppError } from '@merx/errors/app-error'
import type { CredentialKind } from '../clients/credential.ts'
import type { GrantName } from '../grants/grant-names.ts'
import type { MarketFacts, ScopeFacts, StockLocationFacts, StoreFacts } from './scope-facts.ts'
import { applyScopeRules, type ScopeSituation } from './scope-rules.ts'

const market = (id: string, changes: Partial<MarketFacts> = {}): MarketFacts => ({
  id,
  code: id,
  isDisabled: false,
  customerGroupId: null,
  stockLocationIds: [`${id}-stock`],
  geocoderId: null,
  allowsExternalPrices: false,
  ...changes,
})

const MARKETS = [
  market('eu'),
  market('us'),
  market('old', { isDisabled: true }),
  market('vip', { customerGroupId: 'gold' }),
]
const STORES: StoreFacts[] = [
  { id: 'milan', code: 'milan', marketId: 'eu', stockLocationId: 'milan-stock' },
  { id: 'rome', code: 'rome', marketId: 'eu', stockLocationId: null },
  { id: 'closed', code: 'closed', marketId: 'old', stockLocationId: null },
  { id: 'club', code: 'club', marketId: 'vip', stockLocationId: null },
]
const LOCATIONS: StockLocationFacts[] = [
  { id: 'eu-stock', code: 'eu-stock', marketIds: ['eu'] },
  { id: 'us-stock', code: 'us-stock', marketIds: ['us'] },
  { id: 'old-stock', code: 'old-stock', marketIds: ['old'] },
  { id: 'milan-stock', code: 'milan-stock', marketIds: [] },
]

const situation = (changes: Partial<ScopeSituation> = {}): ScopeSituation => ({
  kind: 'integration',
  grant: 'client_credentials',
  isRecalculation: false,
  ...changes,
})

/** As core answers: every market, store and location named, and the markets of the stores. */
const factsOf = (text: string): ScopeFacts => ({
  references: parseScope(text).references.map((reference) => {
    const list = { market: MARKETS, store: STORES, stock_location: LOCATIONS }[reference.type]
    return { ...reference, id: list.some(({ id }) => id === reference.value) ? reference.value : null }
  }),
  markets: MARKETS,
  stores: STORES,
  stockLocations: LOCATIONS,
})

const apply = (text: string | undefined, changes: Partial<ScopeSituation> = {}) => {
  const scope = parseScope(text)
  const target = applyScopeRules(scope, factsOf(scope.text), situation(changes))
  return {
    markets: target.markets.map(({ id }) => id),
    ...(target.store === undefined ? {} : { store: target.store.id }),
    ...(target.stockLocation === undefined ? {} : { stockLocation: target.stockLocation.id }),
  }
}

const refusalOf = (text: string | undefined, changes: Partial<ScopeSituation> = {}): string => {
  try {
    apply(text, changes)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_scope') return error.detail ?? ''
    throw error
  }
  throw new Error(`the scope ${text} was not refused`)
}

describe('scope rules', () => {
  it('market:all narrows nothing', () => {
    expect(apply(undefined)).toEqual({ markets: [] })
    expect(apply('market:all')).toEqual({ markets: [] })
  })

  it('several markets may be in scope, by id and by code, each once', () => {
    expect(apply('market:id:eu market:code:us market:code:eu')).toEqual({ markets: ['eu', 'us'] })
  })

  it.each([
    ['market', 'market:code:mars'],
    ['store', 'store:id:mars'],
    ['stock_location', 'market:id:eu stock_location:code:mars'],
  ])('refuses an unknown %s naming it', (type, text) => {
    expect(refusalOf(text)).toBe(
      `The scope '${text.split(' ').at(-1)}' names no ${type} of this environment.`,
    )
  })

  describe('rule 2: the market in scope must be active', () => {
    it('refuses a disabled market', () => {
      expect(refusalOf('market:id:old')).toBe(
        "The market of the scope 'market:id:old' is disabled; allowed: active markets.",
      )
    })

    it('refuses a disabled market together with an active one', () => {
      expect(refusalOf('market:id:eu market:id:old')).toContain("'market:id:old' is disabled")
    })

    it('refuses a store of a disabled market', () => {
      expect(refusalOf('store:id:closed')).toContain("'store:id:closed' is disabled")
    })

    it('leaves disabled markets out when the scope is recalculated', () => {
      expect(apply('market:id:eu market:id:old', { isRecalculation: true })).toEqual({ markets: ['eu'] })
    })

    it('refuses a recalculation that leaves no market: it would widen the token', () => {
      expect(refusalOf('market:id:old', { isRecalculation: true })).toContain('is disabled')
    })
  })

  describe('rule 3: sales channels must put a market in scope', () => {
    const grants: GrantName[] = ['client_credentials', 'password']
    it.each(grants)('refuses none with the %s grant', (grant) => {
      expect(refusalOf(undefined, { kind: 'sales_channel', grant })).toMatch(
        /^Sales channels must put a market in scope/,
      )
    })

    it.each(grants)('refuses market:all with the %s grant', (grant) => {
      expect(refusalOf('market:all', { kind: 'sales_channel', grant })).toContain("'market:all' names none")
    })

    it('takes a market, or a store, which brings its market', () => {
      expect(apply('market:id:eu', { kind: 'sales_channel' })).toEqual({ markets: ['eu'] })
      expect(apply('store:id:rome', { kind: 'sales_channel' })).toEqual({ markets: ['eu'], store: 'rome' })
    })

    it.each([
      ['sales_channel', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      ['integration', 'client_credentials'],
      ['webapp', 'authorization_code'],
    ] satisfies [CredentialKind, GrantName][])('lets a %s go without with %s', (kind, grant) => {
      expect(apply(undefined, { kind, grant })).toEqual({ markets: [] })
    })
  })

  describe('rule 4: a private market is for customers of its group', () => {
    const customer = (customerGroupId: string | null) =>
      ({ kind: 'sales_channel', grant: 'password', customerGroupId }) as const

    it('admits a customer of the group through the password grant', () => {
      expect(apply('market:id:vip', customer('gold'))).toEqual({ markets: ['vip'] })
    })

    it.each([null, 'silver'])('refuses a customer of group %j', (group) => {
      expect(refusalOf('market:id:vip', customer(group))).toContain(
        "'market:id:vip' is private to a customer group the customer",
      )
    })

    it.each([
      'client_credentials',
      'authorization_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ] as const)('refuses the %s grant', (grant) => {
      expect(refusalOf('market:id:vip', { grant, customerGroupId: 'gold' })).toContain(
        'allowed: the password grant',
      )
    })

    it('holds for a store of the market too', () => {
      expect(refusalOf('store:id:club')).toContain("'store:id:club' is private")
    })

    it('holds when only one of the markets is private', () => {
      expect(refusalOf('market:id:eu market:id:vip')).toContain("'market:id:vip' is private")
    })

    it('refuses a customer who left the group when the scope is recalculated', () => {
      expect(refusalOf('market:id:vip', { ...customer(null), isRecalculation: true })).toContain(
        'does not belong to',
      )
    })
  })

  describe('rule 5: a store brings its market', () => {
    it('needs no market', () => {
      expect(apply('store:id:milan')).toEqual({ markets: ['eu'], store: 'milan' })
    })

    it('may be sent with its own market', () => {
      expect(apply('store:id:milan market:code:eu')).toEqual({ markets: ['eu'], store: 'milan' })
    })

    it.each(['market:id:us', 'market:id:eu market:id:us'])('is refused with %s', (text) => {
      expect(refusalOf(`${text} store:id:milan`)).toBe(
        "The scope 'market:id:us' is not the market of 'store:id:milan'; allowed: the store alone, or with its own market.",
      )
    })
  })

  describe('rule 7: one store', () => {
    it('refuses two', () => {
      expect(refusalOf('store:id:milan store:code:rome')).toBe(
        "The scope names more than one store: 'store:id:milan' and 'store:code:rome'; allowed: one.",
      )
    })

    it('takes the same store by id and by code', () => {
      expect(apply('store:id:milan store:code:milan')).toEqual({ markets: ['eu'], store: 'milan' })
    })
  })

  describe('rule 8: a stock location needs its market', () => {
    it('takes one of the market, or of the store’s market', () => {
      expect(apply('market:id:eu stock_location:id:eu-stock')).toEqual({
        markets: ['eu'],
        stockLocation: 'eu-stock',
      })
      expect(apply('store:id:rome stock_location:id:eu-stock')).toEqual({
        markets: ['eu'],
        store: 'rome',
        stockLocation: 'eu-stock',
      })
    })

    it('takes one that belongs to any of several markets', () => {
      expect(apply('market:id:eu market:id:us stock_location:id:us-stock')).toMatchObject({
        stockLocation: 'us-stock',
      })
    })

    it('refuses one without a market', () => {
      expect(refusalOf('stock_location:id:eu-stock')).toContain(
        "'stock_location:id:eu-stock' needs a market in scope too",
      )
    })

    it.each(['market:id:eu stock_location:id:us-stock', 'store:id:milan stock_location:id:milan-stock'])(
      'refuses one of elsewhere: %s',
      (text) => {
        expect(refusalOf(text)).toContain('does not belong to the market in scope')
      },
    )

    it('holds for the markets that a recalculation leaves', () => {
      const isRecalculation = true
      const both = 'market:id:eu market:id:old'
      expect(apply(`${both} stock_location:id:eu-stock`, { isRecalculation })).toEqual({
        markets: ['eu'],
        stockLocation: 'eu-stock',
      })
      expect(refusalOf(`${both} stock_location:id:old-stock`, { isRecalculation })).toBe(
        "The scope 'stock_location:id:old-stock' does not belong to the market in scope ('market:id:eu').",
      )
    })

    it('refuses two', () => {
      expect(refusalOf('market:id:eu stock_location:id:eu-stock stock_location:id:us-stock')).toContain(
        'more than one stock location',
      )
    })
  })

  describe('a refusal names the part that is wrong, whatever the other parts are', () => {
    it.each([
      ['market:id:eu market:code:mars', 'market:code:mars'],
      ['store:id:milan stock_location:id:nowhere', 'stock_location:id:nowhere'],
      ['market:id:eu store:id:nowhere', 'store:id:nowhere'],
      ['market:id:us market:id:vip', 'market:id:vip'],
      ['market:id:us store:id:rome stock_location:id:eu-stock', 'market:id:us'],
      ['store:id:rome stock_location:id:us-stock', 'stock_location:id:us-stock'],
      ['market:id:eu market:id:us stock_location:id:milan-stock', 'stock_location:id:milan-stock'],
      ['store:id:closed market:id:old', 'store:id:closed'],
      ['store:id:club market:id:vip', 'store:id:club'],
      ['store:id:milan store:id:rome market:id:eu', 'store:id:rome'],
    ])('%s', (text, part) => {
      expect(refusalOf(text)).toContain(`'${part}'`)
    })
  })

  it.each([
    ['market eu', 'market:id:eu', { markets: [] }],
    ['store milan', 'store:id:milan', { stores: [] }],
    ['market eu', 'store:id:milan', { markets: [] }],
    ['stock location eu-stock', 'market:id:eu stock_location:id:eu-stock', { stockLocations: [] }],
  ])('is an internal error when core resolves %s of %s without its facts', (what, text, without) => {
    const scope = parseScope(text)
    expect(() => applyScopeRules(scope, { ...factsOf(text), ...without }, situation())).toThrow(
      new Error(`core resolved ${what} without giving its facts`),
    )
  })

  it('names neither store nor stock location where none is in scope', () => {
    const scope = parseScope('market:id:eu')
    expect(Object.keys(applyScopeRules(scope, factsOf(scope.text), situation()))).toEqual(['markets'])
  })

  it.each<[string | undefined, Partial<ScopeSituation>, string]>([
    [
      'stock_location:id:eu-stock',
      {},
      "The scope 'stock_location:id:eu-stock' needs a market in scope too; allowed: market:id:<id>, market:code:<code>, store:id:<id> or store:code:<code>.",
    ],
    [
      'market:all',
      { kind: 'sales_channel' },
      "Sales channels must put a market in scope, 'market:all' names none; allowed: market:id:<id>, market:code:<code>, store:id:<id> or store:code:<code>.",
    ],
    [
      'market:id:eu market:id:us stock_location:id:milan-stock',
      {},
      "The scope 'stock_location:id:milan-stock' does not belong to the market in scope ('market:id:eu market:id:us').",
    ],
  ])('says of %s what is allowed', (text, changes, detail) => {
    expect(refusalOf(text, changes)).toBe(detail)
  })
})
