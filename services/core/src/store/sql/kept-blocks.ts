/**
 * Lists whose members are kept as bitmaps (docs/adr/0018, 0029) → the blocks of those bitmaps, combined for the
 * request. What is sellable in any markets is an intersection and union of kept sets, so nothing has to be kept per
 * market and nothing recounted when a market changes.
 */
import type { Filter } from '@merx/jsonapi/query'
import type { MarketScope } from '../../access/request-scope.ts'
import { shorten } from '../../engine/sql/filter-tree.ts'
import type { Params } from '../../engine/sql/params.ts'
import { rowsOfType } from '../../engine/sql/relations.ts'
import type { Build } from '../../engine/sql/relations.ts'
import type { PageRequest } from '../../engine/sql/select-page.ts'
import { visibilityOf } from '../../engine/sql/visibility.ts'
import { rowsSeen } from '../../engine/sql/visible-rows.ts'
import { codeStartPattern, literalStart } from './code-start.ts'

export interface KeptBlocks {
  /** A query with the columns `block` and `bits`, a row per block. */
  readonly text: string
  /** Whether the bitmaps are there: without it they always are. */
  readonly isKept?: string
  /** The start of codes that the list is narrowed to. */
  readonly codeStart?: string
  /** Whether other rows say which rows are shown; then the bits are cheaper to ask. */
  readonly isLookedUp?: boolean
}

/** Undefined for a list that bitmaps do not describe: other types, filters, rules of visibility. */
export const keptBlocks = (request: PageRequest, build: Build): KeptBlocks | undefined => {
  const { definition, parent, filters } = request
  const kept = KEPT[definition.type]
  if (kept === undefined || !isSeenByMarketsOnly(request, build)) return undefined
  const [filter, ...more] = filters
  if (more.length > 0) return undefined
  const { params, scope } = build
  const isNarrowed = parent !== undefined || filter !== undefined
  const owners = isNarrowed ? ownersAskedFor(request, kept.ownedBy, build) : undefined
  if (!isNarrowed || owners !== undefined) {
    const text = kept.blocksOf(scope.markets, params, owners)
    const isLookedUp = definition.type === 'skus' && scope.markets !== undefined
    return text === undefined ? undefined : { text, isLookedUp }
  }
  if (filter === undefined || parent !== undefined) return undefined
  const codeStart = definition.type === 'skus' ? codeStartOf(filter) : undefined
  if (codeStart === undefined) return undefined
  const start = `lower(${params.add(codeStart, 'text')})`
  return {
    text: `SELECT visible.block, visible.bits & started.bits AS bits
      FROM (${skusShown(scope.markets, params)}) AS visible
      JOIN kept.code_start_members(${params.environment}, ${start}) AS started USING (block)`,
    isKept: `kept.is_code_start(${params.environment}, ${start})`,
    codeStart,
  }
}

/** The bitmaps know about environments and markets; a rule about anything else needs the rows. */
const isSeenByMarketsOnly = ({ definition }: PageRequest, build: Build): boolean => {
  const params: Params = { ...build.params, add: () => 'NULL' }
  const probe = { ...build, params }
  const { markets } = build.scope
  const byScope = visibilityOf(definition.type, 't', build.scope, params)
  const isByMarkets = byScope.length === (markets === undefined ? 0 : 1)
  const known = [...rowsOfType(definition, 't', probe), ...byScope]
  const all = rowsSeen(definition, 't', probe)
  return isByMarkets && all.length === known.length && all.every((condition, at) => condition === known[at])
}

/**
 * The only owners (price lists of prices, locations of stock items) whose rows a request asks for: it is the address
 * of one, or filters by their ids. Undefined when it asks for something else.
 */
const ownersAskedFor = (
  { parent, filters }: PageRequest,
  ownedBy: string | undefined,
  build: Build,
): readonly number[] | undefined => {
  const [filter] = filters
  if (ownedBy === undefined || (parent !== undefined && filter !== undefined)) return undefined
  if (parent !== undefined) return parent.relationship.inverse === ownedBy ? [parent.number] : undefined
  const [only, ...others] = filter?.tests ?? []
  if (only === undefined || others.length > 0) return undefined
  // Of owners that not all are seen the rows must be asked.
  const { path, test } = shorten(only, rowsSeen, build)
  const isOwner = path.steps.length === 0 && path.field.kind === 'toOneKey' && path.field.name === ownedBy
  if (!isOwner || test.kind !== 'compare' || test.comparison !== 'eq' || test.orNull) return undefined
  const numbers = test.values.filter((value) => typeof value === 'number')
  return test.quantifier === 'any' && numbers.length === test.values.length ? numbers : undefined
}

/**
 * The blocks of what is shown of a type, of all owners or of these; undefined when the scope narrows it by more than
 * bitmaps know.
 */
type BlocksOf = (
  markets: readonly MarketScope[] | undefined,
  params: Params,
  owners?: readonly number[],
) => string | undefined

interface KeptType {
  readonly blocksOf: BlocksOf
  /** The relationship whose targets have a set each. */
  readonly ownedBy?: string
}

const skusShown = (markets: readonly MarketScope[] | undefined, params: Params): string => {
  if (markets === undefined) return allOf('skus', params)
  const [first, ...more] = markets
    .filter(({ stockLocationIds }) => stockLocationIds.length > 0)
    .map((market) => sellableBlocks(market, params))
  if (first === undefined) return `SELECT block, bits FROM kept.sets AS none WHERE false`
  if (more.length === 0) return first
  return `SELECT block, bit_or(bits) AS bits FROM (${[first, ...more].join(' UNION ALL ')}) AS of_market GROUP BY block`
}

/** All there are, or those of some owners; each row has one, so members of several sets are never the same. */
const ofOwners =
  (type: string, name: string, ownersOf: (market: MarketScope) => readonly number[]): BlocksOf =>
  (markets, params, asked) => {
    const shown = markets === undefined ? undefined : new Set(markets.flatMap(ownersOf))
    if (shown === undefined && asked === undefined) return allOf(type, params)
    const owners = asked === undefined ? shown : asked.filter((owner) => shown?.has(owner) !== false)
    return `SELECT block, bit_or(bits) AS bits
      FROM kept.members(${params.environment}, '${name}', ${params.add([...new Set(owners)], 'bigint[]')}) GROUP BY block`
  }

/** What markets do not narrow by a set of their own is kept for requests without any. */
const whole =
  (type: string): BlocksOf =>
  (markets, params) =>
    markets === undefined ? allOf(type, params) : undefined

const allOf = (name: string, { environment }: Params): string =>
  `SELECT block, bits FROM kept.members(${environment}, '${name}', ARRAY[0::bigint])`

/** Types whose rows are kept, as migrations kept_sets and kept_rows note them. */
const KEPT: Readonly<Record<string, KeptType>> = {
  skus: { blocksOf: skusShown },
  prices: {
    blocksOf: ofOwners('prices', 'prices_of_price_list', ({ priceListId }) => [priceListId]),
    ownedBy: 'price_list',
  },
  stock_items: {
    blocksOf: ofOwners(
      'stock_items',
      'stock_items_of_stock_location',
      ({ stockLocationIds }) => stockLocationIds,
    ),
    ownedBy: 'stock_location',
  },
  customers: { blocksOf: whole('customers') },
  addresses: { blocksOf: whole('addresses') },
  orders: { blocksOf: whole('orders') },
  line_items: { blocksOf: whole('line_items') },
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
