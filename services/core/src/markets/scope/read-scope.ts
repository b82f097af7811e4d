/** Caller → request scope, from what the database says now: one small statement per request, or none of its own. */
import type { Caller } from '@merx/access-token/caller'
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { MarketFacts, RequestScope, ScopeFacts } from '../../access/request-scope.ts'
import type { RowOf } from '../../engine/database/rows.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import type { DataVersion, FindDataVersion } from '../../engine/response-cache/data-version.ts'
import { buildScope } from './build-scope.ts'
import { scopeReferences } from './scope-references.ts'
import type { ScopeReferences } from './scope-references.ts'

/** The environment of a token; created when a token of it comes before auth's own announcement. */
const ENVIRONMENT = `
  WITH found AS (SELECT id FROM environments WHERE organization_id = $1 AND mode = $2),
  added AS (
    INSERT INTO environments (organization_id, mode, slug, name)
    SELECT $1, $2, $3, $3 WHERE NOT EXISTS (SELECT 1 FROM found)
    ON CONFLICT (organization_id, mode) DO UPDATE SET slug = environments.slug RETURNING id
  )
  SELECT id FROM found UNION ALL SELECT id FROM added`

const FACTS = `
  SELECT m.id, m.price_list_id, m.base_price_list_id, l.currency_code, m.disabled_at IS NOT NULL AS is_disabled,
    m.external_prices_url IS NOT NULL AS has_external_prices, i.strategy,
    i.stock_locations_cutoff,
    ARRAY(
      SELECT at.stock_location_id FROM inventory_stock_locations AS at
      WHERE at.environment_id = $1 AND at.inventory_model_id = m.inventory_model_id
      ORDER BY at.priority, at.id
    ) AS stock_location_ids,
    s.id AS store_id, s.stock_location_id AS store_stock_location_id, e.settings
  FROM markets AS m
  JOIN environments AS e ON e.id = $1
  JOIN price_lists AS l ON l.environment_id = $1 AND l.id = m.price_list_id
  JOIN inventory_models AS i ON i.environment_id = $1 AND i.id = m.inventory_model_id
  LEFT JOIN stores AS s ON s.environment_id = $1 AND s.id = $3::bigint AND s.market_id = m.id
  WHERE m.environment_id = $1
    AND CASE WHEN $3::bigint IS NOT NULL THEN s.id IS NOT NULL
      WHEN $2::bigint[] IS NULL THEN m.disabled_at IS NULL AND m.customer_group_id IS NULL
      ELSE m.id = ANY($2::bigint[]) END
  ORDER BY array_position($2::bigint[], m.id), m.id`

type MarketRow = Pick<RowOf<'Market'>, 'id' | 'price_list_id' | 'base_price_list_id'> &
  Pick<RowOf<'Order'>, 'currency_code'> &
  Pick<RowOf<'InventoryModel'>, 'strategy' | 'stock_locations_cutoff'> & {
    readonly is_disabled: boolean
    readonly has_external_prices: boolean
    readonly stock_location_ids: readonly number[]
    readonly store_id: number | null
    readonly store_stock_location_id: number | null
    readonly settings: unknown
  }

/** Environments are never deleted, so their numbers are kept; far more than one process ever serves. */
const ENVIRONMENTS_KEPT_MAX = 10_000

export interface ScopeReading {
  readonly scope: RequestScope
  /** The version of the data that the scope was read from; only there for scopes that depend on it. */
  readonly dataVersion?: DataVersion
}

export type ReadScope = (caller: Caller) => Promise<ScopeReading>

/** Scopes are looked up per request, because disabling a market or moving a store takes effect at once. */
export const createScopeReader = (
  run: RunStatement,
  ids: PublicIds,
  findVersion: FindDataVersion,
): ReadScope => {
  const environments = new Map<string, number>()
  // A caller is the same object for as long as its token is cached, and never changes.
  const known = new WeakMap<Caller, ScopeReferences>()
  const cached = new WeakMap<DataVersion, ScopesOfVersion>()
  const environmentOf = async (caller: Caller): Promise<number> => {
    const key = `${caller.organization.id}/${caller.mode}`
    const known = environments.get(key)
    if (known !== undefined) return known
    const id = await readEnvironment(caller, run)
    if (environments.size >= ENVIRONMENTS_KEPT_MAX) environments.clear()
    environments.set(key, id)
    return id
  }
  return async (caller) => {
    const environmentId = await environmentOf(caller)
    const references = known.get(caller) ?? scopeReferences(caller, ids)
    known.set(caller, references)
    if (references.markets === undefined) {
      return { scope: buildScope(caller, { environmentId, ...NO_FACTS }, ids) }
    }
    const dataVersion = await findVersion(environmentId)
    const current: ScopesOfVersion = cached.get(dataVersion) ?? { facts: new Map(), scopes: new WeakMap() }
    cached.set(dataVersion, current)
    const built = current.scopes.get(caller)
    if (built !== undefined) return { scope: built, dataVersion }
    const key = JSON.stringify([references.markets, references.storeId])
    const facts = current.facts.get(key) ?? (await readFacts(environmentId, references, run))
    if (current.facts.size < FACTS_MAX) current.facts.set(key, facts)
    const scope = buildScope(caller, { environmentId, ...facts }, ids)
    current.scopes.set(caller, scope)
    return { scope, dataVersion }
  }
}

/** What was read at one version of the data. */
interface ScopesOfVersion {
  /** By what scopes refer to. */
  readonly facts: Map<string, Omit<ScopeFacts, 'environmentId'>>
  readonly scopes: WeakMap<Caller, RequestScope>
}

/** Markets and stores in scope come in few combinations. */
const FACTS_MAX = 1_000

const NO_FACTS: Omit<ScopeFacts, 'environmentId'> = { markets: [], seesGuestOrdersOnly: true }

const readEnvironment = async ({ organization, mode }: Caller, run: RunStatement): Promise<number> => {
  const values = [organization.id, mode, organization.slug]
  const [row] = await run({ text: ENVIRONMENT, values, name: 'environment_of_token' })
  if (typeof row?.['id'] !== 'number') throw new Error('a token has no environment')
  return row['id']
}

/** On unless it was switched off. */
const guestSetting = (settings: unknown): boolean =>
  typeof settings !== 'object' ||
  settings === null ||
  !('orders_sales_channel_guest_only' in settings) ||
  settings.orders_sales_channel_guest_only !== false

const readFacts = async (
  environmentId: number,
  { markets, storeId }: ScopeReferences,
  run: RunStatement,
): Promise<Omit<ScopeFacts, 'environmentId'>> => {
  const ids = markets === 'public' ? null : markets
  const rows = await run<MarketRow>({
    text: FACTS,
    values: [environmentId, ids, storeId ?? null],
    name: 'scope_facts',
  })
  const found = rows.find((row) => row.store_id !== null)
  return {
    seesGuestOrdersOnly: rows.every((row) => guestSetting(row.settings)),
    markets: rows.map(toMarketFacts),
    ...(found === undefined || found.store_id === null ? {} : { store: storeOf(found, found.store_id) }),
  }
}

const storeOf = (row: MarketRow, id: number): NonNullable<ScopeFacts['store']> => ({
  id,
  marketId: row.id,
  stockLocationId: row.store_stock_location_id,
})

const toMarketFacts = (row: MarketRow): MarketFacts => ({
  id: row.id,
  priceListId: row.price_list_id,
  basePriceListId: row.base_price_list_id,
  currencyCode: row.currency_code,
  isDisabled: row.is_disabled,
  hasExternalPrices: row.has_external_prices,
  strategy: row.strategy,
  stockLocationsCutoff: row.stock_locations_cutoff,
  stockLocationIds: row.stock_location_ids,
})
