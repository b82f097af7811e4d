/** The scope rules of the contract (Authentication, Scopes), numbered as there. Pure: facts in, target or refusal out. */
import { invalidScope, scopePart, type ParsedScope, type ScopeResource } from '@merx/access-token/parse-scope'
import type { CredentialKind } from '../clients/credential.ts'
import type { GrantName } from '../grants/grant-names.ts'
import type {
  MarketFacts,
  ResolvedReference,
  ScopeFacts,
  StockLocationFacts,
  StoreFacts,
} from './scope-facts.ts'

/** What a token is narrowed to. No market at all means `market:all`. */
export interface ScopeTarget {
  readonly markets: readonly MarketFacts[]
  readonly store?: StoreFacts
  readonly stockLocation?: StockLocationFacts
}

export interface ScopeSituation {
  readonly kind: CredentialKind
  /** The grant that began it: for a refresh, the grant of the original request. */
  readonly grant: GrantName
  /** True for a refresh: markets disabled since are left out instead of refused (rule 2). */
  readonly isRecalculation: boolean
  /** Customer group of the customer who signed in; null when in no group. */
  readonly customerGroupId?: string | null
}

const CONCRETE_MARKET = 'market:id:<id>, market:code:<code>, store:id:<id> or store:code:<code>'

/** Rule 3 names these; JWT bearer tokens without a market exist (auth.md 2.3). */
const GRANTS_NEEDING_MARKET: readonly GrantName[] = ['client_credentials', 'password']

/** @throws AppError invalid_scope naming the offending part and what is allowed. */
export const applyScopeRules = (
  scope: ParsedScope,
  facts: ScopeFacts,
  situation: ScopeSituation,
): ScopeTarget => {
  const found = facts.references.map(requireFound)
  const store = requireOneStore(found, facts)
  const named = requireStoresMarket(marketsNamed(found, facts), store, facts)
  const markets = requireActive(named, situation)
  // A market that is left out lends its stock locations no more.
  const stockLocation = requireLocationOfMarket(found, facts, markets)
  requireCustomerOfGroup(markets, situation)
  requireMarketOfSalesChannel(scope, markets, situation)
  return {
    markets: markets.map((named) => named.market),
    ...(store === undefined ? {} : { store: store.store }),
    ...(stockLocation === undefined ? {} : { stockLocation }),
  }
}

type FoundReference = ResolvedReference & { readonly id: string }

interface NamedMarket {
  /** The part of the scope that brought it in, for messages. */
  readonly part: string
  readonly market: MarketFacts
}

interface NamedStore {
  readonly part: string
  readonly store: StoreFacts
}

const requireFound = (reference: ResolvedReference): FoundReference => {
  const { id, type } = reference
  if (id !== null) return { ...reference, id }
  throw invalidScope(`The scope '${scopePart(reference)}' names no ${type} of this environment.`)
}

const ofType = (found: readonly FoundReference[], type: ScopeResource): readonly FoundReference[] => {
  const seen = new Set<string>()
  return found.filter((reference) => {
    if (reference.type !== type || seen.has(reference.id)) return false
    seen.add(reference.id)
    return true
  })
}

/** Core answers each id it resolved with its facts; anything else is an internal error, not of the caller. */
const requireFacts = <T extends { readonly id: string }>(list: readonly T[], id: string, what: string): T => {
  const facts = list.find((item) => item.id === id)
  if (facts === undefined) throw new Error(`core resolved ${what} ${id} without giving its facts`)
  return facts
}

const marketsNamed = (found: readonly FoundReference[], facts: ScopeFacts): readonly NamedMarket[] =>
  ofType(found, 'market').map((reference) => ({
    part: scopePart(reference),
    market: requireFacts(facts.markets, reference.id, 'market'),
  }))

/** Rule 7. */
const requireOneStore = (found: readonly FoundReference[], facts: ScopeFacts): NamedStore | undefined => {
  const [first, second] = ofType(found, 'store')
  if (first === undefined) return undefined
  if (second !== undefined) {
    throw invalidScope(
      `The scope names more than one store: '${scopePart(first)}' and '${scopePart(second)}'; allowed: one.`,
    )
  }
  return { part: scopePart(first), store: requireFacts(facts.stores, first.id, 'store') }
}

/** Rule 5: a store brings its market, so any other market contradicts it. */
const requireStoresMarket = (
  markets: readonly NamedMarket[],
  store: NamedStore | undefined,
  facts: ScopeFacts,
): readonly NamedMarket[] => {
  if (store === undefined) return markets
  const other = markets.find(({ market }) => market.id !== store.store.marketId)
  if (other !== undefined) {
    throw invalidScope(
      `The scope '${other.part}' is not the market of '${store.part}'; allowed: the store alone, or with its own market.`,
    )
  }
  return [{ part: store.part, market: requireFacts(facts.markets, store.store.marketId, 'market') }]
}

/** Rule 8. A store brings a market too. */
const requireLocationOfMarket = (
  found: readonly FoundReference[],
  facts: ScopeFacts,
  markets: readonly NamedMarket[],
): StockLocationFacts | undefined => {
  const [first, second] = ofType(found, 'stock_location')
  if (first === undefined) return undefined
  if (second !== undefined) {
    throw invalidScope(
      `The scope names more than one stock location: '${scopePart(first)}' and '${scopePart(second)}'; allowed: one.`,
    )
  }
  if (markets.length === 0) {
    throw invalidScope(
      `The scope '${scopePart(first)}' needs a market in scope too; allowed: ${CONCRETE_MARKET}.`,
    )
  }
  const location = requireFacts(facts.stockLocations, first.id, 'stock location')
  if (!markets.some(({ market }) => location.marketIds.includes(market.id))) {
    throw invalidScope(
      `The scope '${scopePart(first)}' does not belong to the market in scope ('${markets.map(({ part }) => part).join(' ')}').`,
    )
  }
  return location
}

/** Rule 2. */
const requireActive = (
  markets: readonly NamedMarket[],
  { isRecalculation }: ScopeSituation,
): readonly NamedMarket[] => {
  const active = markets.filter(({ market }) => !market.isDisabled)
  const disabled = markets.find(({ market }) => market.isDisabled)
  if (disabled === undefined || (isRecalculation && active.length > 0)) return active
  throw invalidScope(`The market of the scope '${disabled.part}' is disabled; allowed: active markets.`)
}

/** Rule 4. */
const requireCustomerOfGroup = (
  markets: readonly NamedMarket[],
  { grant, customerGroupId }: ScopeSituation,
): void => {
  for (const { part, market } of markets) {
    if (market.customerGroupId === null) continue
    if (grant !== 'password') {
      throw invalidScope(
        `The market of the scope '${part}' is private to a customer group; allowed: the password grant by a customer of the group.`,
      )
    }
    if (customerGroupId !== market.customerGroupId) {
      throw invalidScope(
        `The market of the scope '${part}' is private to a customer group the customer does not belong to.`,
      )
    }
  }
}

/** Rule 3. `market:all` is no market. */
const requireMarketOfSalesChannel = (
  scope: ParsedScope,
  markets: readonly NamedMarket[],
  { kind, grant }: ScopeSituation,
): void => {
  if (kind !== 'sales_channel' || markets.length > 0 || !GRANTS_NEEDING_MARKET.includes(grant)) return
  throw invalidScope(
    `Sales channels must put a market in scope, '${scope.text}' names none; allowed: ${CONCRETE_MARKET}.`,
  )
}
