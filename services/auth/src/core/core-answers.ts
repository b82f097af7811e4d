/** Bodies of core's internal interface → typed facts. A body of another shape is refused, not guessed at. */
import { compile } from '@merx/validation/compile'
import type { ResolvedReference, ScopeFacts } from '../scopes/scope-facts.ts'

export interface Customer {
  readonly id: string
  readonly email: string
  readonly customerGroupId: string | null
  /** Another password, another mark (@merx/passwords/password-mark); absent from a core of an earlier release. */
  readonly passwordMark?: string
  /** Unix seconds: core refuses tokens of an earlier sign-in; absent while no password was set lately. */
  readonly passwordSetAtSeconds?: number
}

interface CustomerAnswer {
  id: string
  email: string
  customer_group_id: string | null
  /** Not from a core of an earlier release. */
  password_mark?: string
  password_set_at?: number
}

interface MarketAnswer {
  id: string
  code: string | null
  is_disabled: boolean
  customer_group_id: string | null
  stock_location_ids: string[]
  geocoder_id: string | null
  allows_external_prices: boolean
}

interface RecordTypesAnswer {
  record_types: string[]
}

interface ScopesAnswer {
  references: ResolvedReference[]
  markets: MarketAnswer[]
  stores: { id: string; code: string | null; market_id: string; stock_location_id: string | null }[]
  stock_locations: { id: string; code: string | null; market_ids: string[] }[]
}

const id = { type: 'string', minLength: 1 }
const nullable = { type: ['string', 'null'] }
const ids = { type: 'array', items: id }

const record = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const listOf = (properties: Record<string, object>) => ({ type: 'array', items: record(properties) })

const checkCustomer = compile<CustomerAnswer>({
  type: 'object',
  required: ['id', 'email', 'customer_group_id'],
  properties: {
    id,
    email: { type: 'string' },
    customer_group_id: nullable,
    password_mark: id,
    password_set_at: { type: 'integer' },
  },
})

const checkRecordTypes = compile<RecordTypesAnswer>(record({ record_types: ids }))

const checkScopes = compile<ScopesAnswer>(
  record({
    references: listOf({
      type: { enum: ['market', 'store', 'stock_location'] },
      by: { enum: ['id', 'code'] },
      value: { type: 'string' },
      id: nullable,
    }),
    markets: listOf({
      id,
      code: nullable,
      is_disabled: { type: 'boolean' },
      customer_group_id: nullable,
      stock_location_ids: ids,
      geocoder_id: nullable,
      allows_external_prices: { type: 'boolean' },
    }),
    stores: listOf({ id, code: nullable, market_id: id, stock_location_id: nullable }),
    stock_locations: listOf({ id, code: nullable, market_ids: ids }),
  }),
)

const requireValid = <T>(check: ReturnType<typeof compile<T>>, answer: unknown): T => {
  const result = check(answer)
  if (result.ok) return result.value
  throw new Error(result.violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; '))
}

export const parseCustomer = (answer: unknown): Customer => {
  const customer = requireValid(checkCustomer, answer)
  return {
    id: customer.id,
    email: customer.email,
    customerGroupId: customer.customer_group_id,
    ...(customer.password_mark === undefined ? {} : { passwordMark: customer.password_mark }),
    ...(customer.password_set_at === undefined ? {} : { passwordSetAtSeconds: customer.password_set_at }),
  }
}

export const parseScopeFacts = (answer: unknown): ScopeFacts => {
  const facts = requireValid(checkScopes, answer)
  return {
    references: facts.references.map(({ type, by, value, id: found }) => ({ type, by, value, id: found })),
    markets: facts.markets.map((market) => ({
      id: market.id,
      code: market.code,
      isDisabled: market.is_disabled,
      customerGroupId: market.customer_group_id,
      stockLocationIds: market.stock_location_ids,
      geocoderId: market.geocoder_id,
      allowsExternalPrices: market.allows_external_prices,
    })),
    stores: facts.stores.map((store) => ({
      id: store.id,
      code: store.code,
      marketId: store.market_id,
      stockLocationId: store.stock_location_id,
    })),
    stockLocations: facts.stock_locations.map((location) => ({
      id: location.id,
      code: location.code,
      marketIds: location.market_ids,
    })),
  }
}

/** Names of resource types. */
export const parseRecordTypes = (answer: unknown): readonly string[] =>
  requireValid(checkRecordTypes, answer).record_types
