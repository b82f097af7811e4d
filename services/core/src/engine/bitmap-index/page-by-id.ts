/**
 * A page in the order of ids, found in the bitmaps alone: the counts of blocks are summed until the page is reached, then
 * the counts of the 64-bit words of its blocks, then bits.
 */
import type { Build } from '../sql/relations.ts'
import { COUNT_COLUMN } from '../sql/select-page.ts'
import type { PageRequest } from '../sql/select-page.ts'
import { BLOCK_SHIFT } from './members-sql.ts'
import { rowsOfNumbers } from './rows-of-numbers.ts'

/** `members` is a query with `block` and `bits`. */
export const pageById = (
  { definition, page }: PageRequest,
  members: string,
  order: 'ascending' | 'descending',
  build: Build,
): string => {
  const size = build.params.add(page.size, 'bigint')
  const skipped = build.params.add((page.number - 1) * page.size, 'bigint')
  return `WITH ${numbersOfPage(members, { size, skipped, order })}
  SELECT total.count AS ${COUNT_COLUMN}, page.*
  FROM total
  LEFT JOIN (${rowsOfNumbers(definition, build)}) AS page ON true
  ORDER BY page.id${order === 'descending' ? ' DESC' : ''}`
}

interface Place {
  readonly size: string
  readonly skipped: string
  readonly order: 'ascending' | 'descending'
}

/**
 * The WITH queries `total` and `numbers`. Ranks count from 1 in ascending order of numbers, so a page of the descending
 * order is counted from the end. OFFSET 0 keeps PostgreSQL from counting bits more than once and from sorting whole blocks.
 */
const numbersOfPage = (members: string, { size, skipped, order }: Place): string => {
  const first = order === 'ascending' ? skipped : `greatest(count - ${skipped} - ${size}, 0)`
  const last = order === 'ascending' ? `${skipped} + ${size}` : `count - ${skipped}`
  return `counted AS MATERIALIZED (
    SELECT block, bits, count, sum(count) OVER (ORDER BY block)::bigint AS upto
    FROM (SELECT block, bits, bit_count(bits) AS count FROM (${members}) AS members OFFSET 0) AS block_count
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
    SELECT (words.block << ${BLOCK_SHIFT}) + words.at * 64 + bit AS number,
      words.upto - words.count + row_number() OVER (PARTITION BY words.block, words.at ORDER BY bit) AS rank
    FROM wanted
    JOIN words ON words.upto > wanted.after AND words.upto - words.count < wanted.upto
    JOIN generate_series(0, 63) AS bit ON get_bit(words.bits, bit) = 1
  ),
  numbers AS (
    SELECT ranked.number AS id FROM ranked, wanted WHERE ranked.rank > wanted.after AND ranked.rank <= wanted.upto
  )`
}
