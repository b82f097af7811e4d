/**
 * Lists whose members are kept as bitmaps (docs/adr/0018) → the blocks of those
 * bitmaps, combined for the request. What is sellable in any markets is an intersection and union of kept sets, so
 * nothing has to be kept per market and nothing recounted when a market changes.
 */
import type { Filter } from '@merx/jsonapi/query'
import type { MarketScope } from '../../policies/request-scope.ts'
import { codeStartPattern, literalStart } from './code-start.ts'
import type { Params } from './params.ts'
import type { Build } from './relations.ts'
import { rowsSeen } from './rows-seen.ts'
import type { PageRequest } from './select-page.ts'
import { sellable } from './sellable.ts'

export interface KeptBlocks {
  /** A query with the columns `block` and `bits`, a row per block. */
  readonly text: string
  /** Whether the bitmaps are there: without it they always are. */
  readonly isKept?: string
  /** The start of codes that the list is narrowed to. */
  readonly codeStart?: string
}

/** Undefined for a list that bitmaps do not describe: other types, filters, rules of visibility. */
export const keptBlocks = (request: PageRequest, build: Build): KeptBlocks | undefined => {
  if (request.definition.type !== 'skus' || request.parent !== undefined) return undefined
  if (!isSeenByMarketsOnly(request, build)) return undefined
  const [filter, ...more] = request.filters
  if (more.length > 0) return undefined
  const { params, scope } = build
  if (filter === undefined) return { text: visibleBlocks(scope.markets, params) }
  const codeStart = codeStartOf(filter)
  if (codeStart === undefined) return undefined
  const start = `lower(${params.add(codeStart, 'text')})`
  return {
    text: `SELECT visible.block, visible.bits & started.bits AS bits
      FROM (${visibleBlocks(scope.markets, params)}) AS visible
      JOIN kept.code_start_members(${params.environment}, ${start}) AS started USING (block)`,
    isKept: `kept.is_code_start(${params.environment}, ${start})`,
    codeStart,
  }
}

/** The bitmaps know about environments and markets; a rule about anything else needs the rows. */
const isSeenByMarketsOnly = ({ definition }: PageRequest, build: Build): boolean => {
  const params: Params = { ...build.params, add: () => 'NULL' }
  const { markets } = build.scope
  const known = [
    `t.environment_id = ${params.environment}`,
    ...(markets === undefined ? [] : [sellable('t', markets, params)]),
  ]
  const all = rowsSeen(definition, 't', { ...build, params })
  return all.length === known.length && all.every((condition, at) => condition === known[at])
}

const visibleBlocks = (markets: readonly MarketScope[] | undefined, params: Params): string => {
  const { environment } = params
  if (markets === undefined) {
    return `SELECT block, bits FROM kept.members(${environment}, 'skus', ARRAY[0::bigint])`
  }
  const [first, ...more] = markets
    .filter(({ stockLocationIds }) => stockLocationIds.length > 0)
    .map((market) => sellableBlocks(market, params))
  if (first === undefined) return `SELECT block, bits FROM kept.sets AS none WHERE false`
  if (more.length === 0) return first
  return `SELECT block, bit_or(bits) AS bits FROM (${[first, ...more].join(' UNION ALL ')}) AS of_market GROUP BY block`
}

/** A price in the list, unless prices are external, and a stock item in any of the locations. */
const sellableBlocks = (
  { priceListId, stockLocationIds, hasExternalPrices }: MarketScope,
  params: Params,
): string => {
  const { environment } = params
  const locations = params.add(stockLocationIds, 'bigint[]')
  const stocked = `SELECT block, bit_or(bits) AS bits
      FROM kept.members(${environment}, 'skus_of_stock_location', ${locations}) GROUP BY block`
  if (hasExternalPrices === true) return stocked
  const list = params.add([priceListId], 'bigint[]')
  return `SELECT priced.block, priced.bits & stocked.bits AS bits
    FROM kept.members(${environment}, 'skus_of_price_list', ${list}) AS priced
    JOIN (${stocked}) AS stocked USING (block)`
}

const codeStartOf = ({ tests }: Filter): string | undefined => {
  const [only, ...more] = tests
  if (only === undefined || more.length > 0 || only.path.steps.length > 0) return undefined
  const pattern = codeStartPattern(only)
  return pattern === undefined ? undefined : literalStart(pattern)
}
