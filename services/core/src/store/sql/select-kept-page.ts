/**
 * Blocks of a kept list → one statement that gives a page and the exact count, like `selectPage`, at a cost that does
 * not grow with the number of rows: counts of blocks are summed until the page is reached, then counts of the 64-bit
 * words of its blocks, then bits.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Sort } from '@merx/jsonapi/query'
import { identifier, qualified } from '../../engine/sql/identifiers.ts'
import type { Statement } from '../../engine/sql/params.ts'
import type { Build } from '../../engine/sql/relations.ts'
import { COUNT_COLUMN, matchingRows, orderBy } from '../../engine/sql/select-page.ts'
import type { PageRequest } from '../../engine/sql/select-page.ts'
import { selection } from '../../engine/sql/selection.ts'
import { statementName } from '../../engine/sql/statement-names.ts'
import { keptBlocks } from './kept-blocks.ts'
import type { KeptBlocks } from './kept-blocks.ts'

/** Whether the answer counts; when not, the list has to be read from the rows. No attribute can have this name. */
export const KEPT_COLUMN = '_is_kept'

export interface KeptPage {
  readonly statement: Statement
  /** What to keep when the answer does not count. */
  readonly codeStart?: string
}

/** Undefined when the list is not kept. The page of an order that bitmaps do not have is still read from the rows. */
export const selectKeptPage = (request: PageRequest, build: Build): KeptPage | undefined => {
  const blocks = keptBlocks(request, build)
  if (blocks === undefined) return undefined
  const byId = idOrderOf(request.sorts)
  if (byId === undefined && blocks.codeStart !== undefined) return undefined
  const text =
    byId === undefined ? countedPage(request, blocks, build) : placedPage(request, blocks, byId, build)
  return {
    statement: {
      text,
      values: build.params.values,
      ...(request.sorts.length <= 1 ? { name: statementName(text) } : {}),
    },
    ...(blocks.codeStart === undefined ? {} : { codeStart: blocks.codeStart }),
  }
}

type IdOrder = 'ascending' | 'descending'

/** Undefined when something else decides first. */
const idOrderOf = ([first]: readonly Sort[]): IdOrder | undefined => {
  if (first === undefined) return 'ascending'
  if (first.field.kind !== 'id') return undefined
  return first.isDescending ? 'descending' : 'ascending'
}

/** Looking a row up beside others costs about as much as this many bits of rows that are all read. */
const LOOK_COST = 5

/**
 * The count of the blocks, the page from the rows in their order: from the end that is nearer, because PostgreSQL goes
 * through what is in front of a page. Numbers first, so that an index has all that it takes to skip the others. Where it
 * takes a look at other rows to know whether one is shown, a page far from both ends is made of all rows and their bits.
 */
const countedPage = (request: PageRequest, blocks: KeptBlocks, build: Build): string => {
  const { definition, sorts, page } = request
  const { params } = build
  const size = params.add(page.size, 'bigint')
  const skipped = params.add((page.number - 1) * page.size, 'bigint')
  const matching = matchingRows(request, build)
  const { isLookedUp = false } = blocks
  const isDeep = isLookedUp
    ? `least(${skipped}, count - ${skipped} - ${size}) * ${LOOK_COST} > count`
    : 'false'
  const ofBits = `UNION ALL
    (SELECT t.id FROM ${identifier(definition.table)} AS t
      JOIN shown ON shown.block = t.id >> 14 AND get_bit(shown.bits, (t.id & 16383)::integer) = 1
      WHERE t.environment_id = ${params.environment} AND (SELECT is_deep FROM place)
      ORDER BY ${orderBy(sorts, 't')} LIMIT ${size} OFFSET ${skipped})`
  return `WITH shown AS MATERIALIZED (${blocks.text}),
  total AS (
    SELECT coalesce(sum(bit_count(bits)), 0)::bigint AS count FROM shown
  ),
  place AS MATERIALIZED (
    SELECT ${skipped} * 2 <= count AS is_nearer_to_start, greatest(least(${size}, count - ${skipped}), 0) AS size,
      greatest(count - ${skipped} - ${size}, 0) AS behind, ${isDeep} AS is_deep
    FROM total
  ),
  numbers AS (
    (SELECT t.id ${matching} AND (SELECT is_nearer_to_start AND NOT is_deep FROM place)
      ORDER BY ${orderBy(sorts, 't')} LIMIT ${size} OFFSET ${skipped})
    UNION ALL
    (SELECT t.id ${matching} AND NOT (SELECT is_nearer_to_start OR is_deep FROM place)
      ORDER BY ${orderBy(sorts, 't', true)} LIMIT (SELECT size FROM place) OFFSET (SELECT behind FROM place))
    ${isLookedUp ? ofBits : ''}
  )
  SELECT total.count AS ${COUNT_COLUMN}, true AS ${KEPT_COLUMN}, page.*
  FROM total
  LEFT JOIN (${rowsOfNumbers(definition, build)}) AS page ON true
  ORDER BY ${orderBy(sorts, 'page')}`
}

const rowsOfNumbers = (definition: ResourceDefinition, build: Build): string =>
  `SELECT ${selection(definition, 't', build)} FROM ${identifier(definition.table)} AS t
    WHERE t.environment_id = ${build.params.environment}
      AND ${qualified('t', 'id')} = ANY(ARRAY(SELECT numbers.id FROM numbers))`

const placedPage = (request: PageRequest, blocks: KeptBlocks, order: IdOrder, build: Build): string => {
  const { definition, page } = request
  const { params } = build
  const size = params.add(page.size, 'bigint')
  const skipped = params.add((page.number - 1) * page.size, 'bigint')
  return `WITH ${numbersOfPage(blocks.text, { size, skipped, order })}
  SELECT total.count AS ${COUNT_COLUMN}, ${blocks.isKept ?? 'true'} AS ${KEPT_COLUMN}, page.*
  FROM total
  LEFT JOIN (${rowsOfNumbers(definition, build)}) AS page ON true
  ORDER BY page.id${order === 'descending' ? ' DESC' : ''}`
}

interface Place {
  readonly size: string
  readonly skipped: string
  readonly order: IdOrder
}

/**
 * The row numbers of a page, in the WITH queries `total` and `numbers`. Ranks count from 1 in ascending order of
 * numbers, so a page of the descending order is one counted from the end. OFFSET 0 keeps PostgreSQL from counting bits
 * more than once and from sorting whole blocks.
 */
const numbersOfPage = (shown: string, { size, skipped, order }: Place): string => {
  const first = order === 'ascending' ? skipped : `greatest(count - ${skipped} - ${size}, 0)`
  const last = order === 'ascending' ? `${skipped} + ${size}` : `count - ${skipped}`
  return `counted AS MATERIALIZED (
    SELECT block, bits, count, sum(count) OVER (ORDER BY block)::bigint AS upto
    FROM (SELECT block, bits, bit_count(bits) AS count FROM (${shown}) AS shown OFFSET 0) AS block_count
  ),
  total AS (SELECT coalesce(max(upto), 0) AS count FROM counted),
  wanted AS MATERIALIZED (SELECT ${first} AS after, ${last} AS upto FROM total),
  words AS MATERIALIZED (
    SELECT block, at, bits, count, before + sum(count) OVER (PARTITION BY block ORDER BY at)::bigint AS upto
    FROM (
      SELECT counted.block, counted.upto - counted.count AS before, word.at, word.bits, bit_count(word.bits) AS count
      FROM wanted
      JOIN counted ON counted.upto > wanted.after AND counted.upto - counted.count < wanted.upto
      CROSS JOIN LATERAL (
        SELECT at, substring(counted.bits FROM at * 64 + 1 FOR 64) AS bits FROM generate_series(0, 255) AS at
      ) AS word
      OFFSET 0
    ) AS word_count
  ),
  ranked AS (
    SELECT (words.block << 14) + words.at * 64 + bit AS number,
      words.upto - words.count + row_number() OVER (PARTITION BY words.block, words.at ORDER BY bit) AS rank
    FROM wanted
    JOIN words ON words.upto > wanted.after AND words.upto - words.count < wanted.upto
    JOIN generate_series(0, 63) AS bit ON get_bit(words.bits, bit) = 1
  ),
  numbers AS (
    SELECT ranked.number AS id FROM ranked, wanted WHERE ranked.rank > wanted.after AND ranked.rank <= wanted.upto
  )`
}
