/** Describes to the bitmap index which types it has sets of, and which members of those sets a request sees. */
import type { RequestScope } from '../../access/request-scope.ts'

/** Row numbers of one type, as a combination of sets. */
export type Members =
  /** Every row of a type in the environment. */
  | { readonly kind: 'all'; readonly set: string }
  /** The members of a set of these owners, of any of them: the prices of a price list. */
  | { readonly kind: 'owned'; readonly set: string; readonly owners: readonly number[] }
  | { readonly kind: 'intersection'; readonly of: readonly [Members, Members] }
  | { readonly kind: 'union'; readonly of: readonly Members[] }

export interface IndexedType {
  /**
   * The rows that the scope of a request shows; undefined when it narrows the type by more than there are sets of. It
   * says the same as the type's rule of visibility does row by row.
   */
  readonly visible: (scope: RequestScope) => Members | undefined
  /** The to-one relationship whose targets have a set each, of the rows that point at them. */
  readonly ownedBy?: { readonly relationship: string; readonly set: string }
}
