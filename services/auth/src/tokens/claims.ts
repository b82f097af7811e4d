/** Claims of an access token, in the order of auth.md 7.3. Pure. */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import type { AuthenticatedClient, RoleReference } from '../clients/credential.ts'
import { isPublicKind } from '../clients/credential.ts'
import type { ResolvedScope } from '../scopes/resolve-scope.ts'
import type { Owner } from './owner.ts'

/** Everything a token says that is not about time or chance: two identical requests give equal identities. */
export type TokenIdentity = Omit<
  AccessTokenClaims,
  'exp' | 'test' | 'rand' | 'iat' | 'iss' | 'jti' | 'auth_time'
>

type MarketClaim = NonNullable<AccessTokenClaims['market']>

export interface TokenSubject {
  readonly client: AuthenticatedClient
  readonly scope: ResolvedScope
  readonly owner?: Owner | undefined
  readonly role?: RoleReference | undefined
  readonly customClaim?: Record<string, unknown> | undefined
}

export interface TokenMoment {
  readonly issuer: string
  readonly issuedAtSeconds: number
  readonly lifetimeSeconds: number
  readonly tokenId: string
  /** Of customers only. */
  readonly signedInAtSeconds?: number | undefined
  /** 0 <= x < 1 */
  readonly random: number
}

const first = <T>(items: readonly T[]): T | undefined => items[0]

/** The one value all have, or null when they differ. */
const shared = <T>(items: readonly (T | null)[]): T | null =>
  new Set(items).size === 1 ? (first(items) ?? null) : null

const stockLocationIdsOf = ({ markets, store, stockLocation }: ResolvedScope): readonly string[] => {
  if (stockLocation !== undefined) return [stockLocation.id]
  const ofMarkets = markets.flatMap((market) => market.stockLocationIds)
  // Contract, Scopes rule 6: the store's own location comes first.
  const ofStore = store?.stockLocationId ?? null
  return [...new Set(ofStore === null ? ofMarkets : [ofStore, ...ofMarkets])]
}

const marketClaimOf = (scope: ResolvedScope): MarketClaim | undefined =>
  scope.markets.length === 0
    ? undefined
    : {
        id: scope.markets.map((market) => market.id),
        stock_location_ids: stockLocationIdsOf(scope),
        geocoder_id: shared(scope.markets.map((market) => market.geocoderId)),
        allows_external_prices: scope.markets.every((market) => market.allowsExternalPrices),
      }

export const buildIdentity = ({ client, scope, owner, role, customClaim }: TokenSubject): TokenIdentity => {
  const { credential, isConfidential } = client
  const { organization } = credential
  const market = marketClaimOf(scope)
  return {
    organization: {
      id: organization.id,
      slug: organization.slug,
      enterprise: organization.isEnterprise,
      region: organization.region,
    },
    application: {
      id: credential.id,
      client_id: credential.clientId,
      kind: credential.kind,
      public: isPublicKind(credential.kind),
      confidential: isConfidential,
    },
    ...(market === undefined ? {} : { market }),
    ...(scope.store === undefined ? {} : { store: { id: scope.store.id } }),
    ...(scope.stockLocation === undefined ? {} : { stock_location: { id: scope.stockLocation.id } }),
    ...(owner === undefined ? {} : { owner: { id: owner.id, type: owner.type } }),
    ...(role === undefined ? {} : { role: { id: role.id, kind: role.kind } }),
    ...(customClaim === undefined ? {} : { custom_claim: customClaim }),
    scope: scope.text,
  }
}

export const buildClaims = (
  identity: TokenIdentity,
  isTest: boolean,
  moment: TokenMoment,
): AccessTokenClaims => ({
  ...identity,
  exp: moment.issuedAtSeconds + moment.lifetimeSeconds,
  test: isTest,
  rand: moment.random,
  iat: moment.issuedAtSeconds,
  iss: moment.issuer,
  jti: moment.tokenId,
  ...(moment.signedInAtSeconds === undefined ? {} : { auth_time: moment.signedInAtSeconds }),
})
