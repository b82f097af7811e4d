/**
 * A page in another order than that of ids: the count comes from the bitmaps, the page from the rows in their order, from
 * the end that is nearer, because PostgreSQL reads every row in front of a page.
 */
import { identifier } from '../sql/identifiers.ts'
import type { Build } from '../sql/relations.ts'
import { COUNT_COLUMN, matchingRows, orderBy } from '../sql/select-page.ts'
import type { PageRequest } from '../sql/select-page.ts'
import { BLOCK_MASK, BLOCK_SHIFT } from './members-sql.ts'
import { rowsOfNumbers } from './rows-of-numbers.ts'

/** Looking up other rows to decide about one costs about as much as reading and sorting this many rows with their bits. */
const LOOKUP_COST = 5

interface Source {
  /** A query with `block` and `bits`. */
  readonly members: string
  readonly isDecidedByOtherRows: boolean
}

/**
 * Numbers first, so that an index has all that it takes to skip rows. Where other rows decide about membership, a page far
 * from both ends is taken from all rows and their bits instead.
 */
export const pageInOrder = (
  request: PageRequest,
  { members, isDecidedByOtherRows }: Source,
  build: Build,
): string => {
  const { definition, sorts, page } = request
  const { params } = build
  const size = params.add(page.size, 'bigint')
  const skipped = params.add((page.number - 1) * page.size, 'bigint')
  const matching = matchingRows(request, build)
  const isDeep = isDecidedByOtherRows
    ? `least(${skipped}, count - ${skipped} - ${size}) * ${LOOKUP_COST} > count`
    : 'false'
  const ofBits = `UNION ALL
    (SELECT t.id FROM ${identifier(definition.table)} AS t
      JOIN members ON members.block = t.id >> ${BLOCK_SHIFT} AND get_bit(members.bits, (t.id & ${BLOCK_MASK})::integer) = 1
      WHERE t.environment_id = ${params.environment} AND (SELECT is_deep FROM place)
      ORDER BY ${orderBy(sorts, 't')} LIMIT ${size} OFFSET ${skipped})`
  return `WITH members AS MATERIALIZED (${members}),
  total AS (
    SELECT coalesce(sum(bit_count(bits)), 0)::bigint AS count FROM members
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
    ${isDecidedByOtherRows ? ofBits : ''}
  )
  SELECT total.count AS ${COUNT_COLUMN}, page.*
  FROM total
  LEFT JOIN (${rowsOfNumbers(definition, build)}) AS page ON true
  ORDER BY ${orderBy(sorts, 'page')}`
}
