/** Caller → the row numbers its token's scope refers to, and whether they narrow anything. Pure. */
import { isScopeEffective } from '@merx/access-token/caller'
import type { Caller } from '@merx/access-token/caller'
import type { PublicIds } from '@merx/jsonapi/public-id'
import { isSalesChannel } from '../../access/caller-kinds.ts'

/** No row has this number: an id that cannot be decoded refers to nothing. */
const NO_ROW = -1

export interface ScopeReferences {
  /** Undefined: no market narrows this request. `public`: all active markets without a customer group. */
  readonly markets: readonly number[] | 'public' | undefined
  readonly storeId: number | undefined
  readonly stockLocationId: number | undefined
}

/** Scopes that are not effective (rule 9) refer to nothing. */
export const scopeReferences = (caller: Caller, ids: PublicIds): ScopeReferences => {
  if (!isScopeEffective(caller)) return { markets: undefined, storeId: undefined, stockLocationId: undefined }
  return {
    markets: marketsOf(caller, ids),
    storeId: caller.store === undefined ? undefined : (ids.decode('stores', caller.store.id) ?? NO_ROW),
    stockLocationId:
      caller.stockLocation === undefined
        ? undefined
        : (ids.decode('stock_locations', caller.stockLocation.id) ?? NO_ROW),
  }
}

/** The row number of the customer a sales channel speaks for. */
export const customerOf = (caller: Caller, ids: PublicIds): number | undefined => {
  if (caller.owner?.type !== 'Customer') return undefined
  return ids.decode('customers', caller.owner.id) ?? NO_ROW
}

const marketsOf = (caller: Caller, ids: PublicIds): ScopeReferences['markets'] => {
  if (caller.market !== undefined) return caller.market.ids.map((id) => ids.decode('markets', id) ?? NO_ROW)
  // a store brings its own market (rule 5)
  if (caller.store !== undefined) return []
  return isSalesChannel(caller) ? 'public' : undefined
}
