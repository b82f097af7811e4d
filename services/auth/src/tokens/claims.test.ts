import type { AuthenticatedClient, CredentialKind } from '../clients/credential.ts'
import type { ResolvedScope } from '../scopes/resolve-scope.ts'
import type { MarketFacts } from '../scopes/scope-facts.ts'
import { buildClaims, buildIdentity } from './claims.ts'
import { reuseKey, reuseKeyOfClaims } from './reuse-key.ts'

const clientOf = (kind: CredentialKind, isConfidential = kind !== 'sales_channel'): AuthenticatedClient => ({
  isConfidential,
  credential: {
    id: 'enWoxFMOnp',
    clientId: 'client',
    name: 'shop',
    kind,
    mode: 'test',
    secretHash: new Uint8Array(32),
    isDisabled: false,
    organization: { id: 'orgorgorgo', slug: 'shop', isEnterprise: true, region: 'eu-west-1' },
  },
})

const market = (id: string, changes: Partial<MarketFacts> = {}): MarketFacts => ({
  id,
  code: null,
  isDisabled: false,
  customerGroupId: null,
  stockLocationIds: ['north', 'south'],
  geocoderId: 'geo',
  allowsExternalPrices: true,
  ...changes,
})

const scopeOf = (changes: Partial<ResolvedScope> = {}): ResolvedScope => ({
  text: 'market:all',
  markets: [],
  ...changes,
})

const MOMENT = {
  issuer: 'https://auth.merx.localhost',
  issuedAtSeconds: 1_000,
  lifetimeSeconds: 7_200,
  tokenId: 'id',
  random: 0.5,
}

describe('claims of an access token', () => {
  it('of an integration come in the order of the documentation', () => {
    const identity = buildIdentity({
      client: clientOf('integration'),
      scope: scopeOf(),
      role: { id: 'role', kind: 'admin' },
    })
    expect(Object.entries(buildClaims(identity, true, MOMENT))).toEqual([
      ['organization', { id: 'orgorgorgo', slug: 'shop', enterprise: true, region: 'eu-west-1' }],
      [
        'application',
        { id: 'enWoxFMOnp', client_id: 'client', kind: 'integration', public: false, confidential: true },
      ],
      ['role', { id: 'role', kind: 'admin' }],
      ['scope', 'market:all'],
      ['exp', 8_200],
      ['test', true],
      ['rand', 0.5],
      ['iat', 1_000],
      ['iss', 'https://auth.merx.localhost'],
      ['jti', 'id'],
    ])
  })

  it('say last when a customer signed in, and nothing of it for others', () => {
    const identity = buildIdentity({ client: clientOf('sales_channel'), scope: scopeOf() })
    const claims = buildClaims(identity, false, { ...MOMENT, signedInAtSeconds: 990 })
    expect(Object.entries(claims).at(-1)).toEqual(['auth_time', 990])
    expect(Object.keys(buildClaims(identity, false, MOMENT)).at(-1)).toBe('jti')
  })

  it('name owner and custom claim after the market', () => {
    const identity = buildIdentity({
      client: clientOf('sales_channel'),
      scope: scopeOf({ markets: [market('eu')], text: 'market:id:eu' }),
      owner: { id: 'me', type: 'Customer' },
      customClaim: { a: 1 },
    })
    expect(Object.keys(identity)).toEqual([
      'organization',
      'application',
      'market',
      'owner',
      'custom_claim',
      'scope',
    ])
    expect(identity).toMatchObject({
      application: { public: true, confidential: false },
      owner: { id: 'me', type: 'Customer' },
    })
  })

  it('say confidential for a sales channel that sent its secret', () => {
    const identity = buildIdentity({ client: clientOf('sales_channel', true), scope: scopeOf() })
    expect(identity.application).toMatchObject({ public: true, confidential: true })
  })

  it.each([
    [
      'one market',
      { markets: [market('eu')] },
      {
        id: ['eu'],
        stock_location_ids: ['north', 'south'],
        geocoder_id: 'geo',
        allows_external_prices: true,
      },
    ],
    [
      'two markets that differ',
      {
        markets: [
          market('eu'),
          market('us', {
            stockLocationIds: ['south', 'west'],
            geocoderId: null,
            allowsExternalPrices: false,
          }),
        ],
      },
      {
        id: ['eu', 'us'],
        stock_location_ids: ['north', 'south', 'west'],
        geocoder_id: null,
        allows_external_prices: false,
      },
    ],
    ['two markets with the same geocoder', { markets: [market('eu'), market('us')] }, { geocoder_id: 'geo' }],
    [
      'a store, whose location comes first',
      {
        markets: [market('eu')],
        store: { id: 'milan', code: null, marketId: 'eu', stockLocationId: 'south' },
      },
      { stock_location_ids: ['south', 'north'] },
    ],
    [
      'a store without location',
      { markets: [market('eu')], store: { id: 'rome', code: null, marketId: 'eu', stockLocationId: null } },
      { stock_location_ids: ['north', 'south'] },
    ],
    [
      'a stock location, which is the only one',
      { markets: [market('eu')], stockLocation: { id: 'south', code: null, marketIds: ['eu'] } },
      { stock_location_ids: ['south'] },
    ],
  ])('describe the market for %s', (_name, scope, expected) => {
    const identity = buildIdentity({ client: clientOf('integration'), scope: scopeOf(scope) })
    expect(identity.market).toMatchObject(expected)
  })

  it('name store and stock location only when they are in scope', () => {
    const bare = buildIdentity({
      client: clientOf('integration'),
      scope: scopeOf({ markets: [market('eu')] }),
    })
    expect(bare).not.toHaveProperty('store')
    expect(bare).not.toHaveProperty('stock_location')
    const full = buildIdentity({
      client: clientOf('integration'),
      scope: scopeOf({
        markets: [market('eu')],
        store: { id: 'milan', code: null, marketId: 'eu', stockLocationId: null },
        stockLocation: { id: 'south', code: null, marketIds: ['eu'] },
      }),
    })
    expect(full).toMatchObject({ store: { id: 'milan' }, stock_location: { id: 'south' } })
  })
})

describe('the reuse key', () => {
  const identity = buildIdentity({
    client: clientOf('sales_channel'),
    scope: scopeOf({ markets: [market('eu')], text: 'market:id:eu' }),
    owner: { id: 'me', type: 'Customer' },
    customClaim: { b: 1, a: { d: 2, c: [3] } },
  })

  it('is found again from the token, whatever its time and chance', () => {
    const claims = buildClaims(identity, false, {
      ...MOMENT,
      issuedAtSeconds: 77,
      tokenId: 'other',
      random: 0.1,
    })
    expect(reuseKeyOfClaims(JSON.parse(JSON.stringify(claims)) as typeof claims)).toBe(
      reuseKey(identity, 7_200),
    )
  })

  it('does not depend on the order of keys', () => {
    const { custom_claim: _claim, ...rest } = identity
    expect(reuseKey({ custom_claim: { a: { c: [3], d: 2 }, b: 1 }, ...rest }, 7_200)).toBe(
      reuseKey(identity, 7_200),
    )
  })

  it.each([
    ['credential', { ...identity, application: { ...identity.application, id: 'x' } }],
    ['use of the secret', { ...identity, application: { ...identity.application, confidential: true } }],
    ['owner', { ...identity, owner: { id: 'you', type: 'Customer' as const } }],
    ['scope', { ...identity, scope: 'market:code:eu' }],
    ['custom claim', { ...identity, custom_claim: { b: 2 } }],
    ['role', { ...identity, role: { id: 'r', kind: 'admin' as const } }],
  ])('differs with another %s', (_name, other) => {
    expect(reuseKey(other, 7_200)).not.toBe(reuseKey(identity, 7_200))
  })

  it('differs with another lifetime', () => {
    expect(reuseKey(identity, 7_201)).not.toBe(reuseKey(identity, 7_200))
  })
})
