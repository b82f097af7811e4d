/**
 * A list request → one statement that gives a page and the exact count from the bitmap index, like `selectPage`, at a
 * cost that does not grow with the number of rows. Undefined when the index does not know the members of the list.
 */
import type { Sort } from '@merx/jsonapi/query'
import type { Statement } from '../sql/params.ts'
import type { Build } from '../sql/relations.ts'
import type { PageRequest } from '../sql/select-page.ts'
import { statementName } from '../sql/statement-names.ts'
import { indexedMembers } from './indexed-members.ts'
import { membersSql } from './members-sql.ts'
import { pageById } from './page-by-id.ts'
import { pageInOrder } from './page-in-order.ts'

export const selectIndexedPage = (request: PageRequest, build: Build): Statement | undefined => {
  const indexed = indexedMembers(request, build)
  if (indexed === undefined) return undefined
  const members = membersSql(indexed.members, build.params)
  const order = idOrderOf(request.sorts)
  const text =
    order === undefined
      ? pageInOrder(request, { members, isDecidedByOtherRows: indexed.isDecidedByOtherRows }, build)
      : pageById(request, members, order, build)
  const { values } = build.params
  return { text, values, ...(request.sorts.length <= 1 ? { name: statementName(text) } : {}) }
}

/** Undefined when another field decides first. */
const idOrderOf = ([first]: readonly Sort[]): 'ascending' | 'descending' | undefined => {
  if (first === undefined) return 'ascending'
  if (first.field.kind !== 'id') return undefined
  return first.isDescending ? 'descending' : 'ascending'
}
