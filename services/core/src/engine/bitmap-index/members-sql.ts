/** Members of the bitmap index → a query with the columns `block` and `bits`, one row per block. */
import type { Params } from '../sql/params.ts'
import type { Members } from './indexed-types.ts'

/** A number is in block `number >> BLOCK_SHIFT`, at bit `number & BLOCK_MASK` of it. */
export const BLOCK_SHIFT = 14
export const BLOCK_MASK = 16_383

export const membersSql = (members: Members, params: Params): string => {
  switch (members.kind) {
    case 'all':
      return `SELECT block, bits FROM kept.members(${params.environment}, '${members.set}', ARRAY[0::bigint])`
    case 'owned':
      return `SELECT block, bit_or(bits) AS bits
        FROM kept.members(${params.environment}, '${members.set}', ${params.add(members.owners, 'bigint[]')}) GROUP BY block`
    case 'intersection': {
      const [one, other] = members.of
      return `SELECT block, one.bits & other.bits AS bits
        FROM (${membersSql(one, params)}) AS one JOIN (${membersSql(other, params)}) AS other USING (block)`
    }
    case 'union':
      return unionSql(members.of, params)
  }
}

const unionSql = (parts: readonly Members[], params: Params): string => {
  const [first, ...more] = parts
  if (first === undefined) return 'SELECT block, bits FROM kept.sets AS none WHERE false'
  if (more.length === 0) return membersSql(first, params)
  const queries = parts.map((part) => membersSql(part, params)).join(' UNION ALL ')
  return `SELECT block, bit_or(bits) AS bits FROM (${queries}) AS part GROUP BY block`
}
