/** Reads from a token which organization, mode, markets and store its queries may see. */
import { isScopeEffective, type Caller, type Mode } from '@merx/access-token/caller'
import { bothOf, type ReadRestriction } from './read-restriction.ts'

/** `marketIds` undefined: every market of the environment. Empty: none, as when the market in scope was disabled. */
export interface Scope {
  readonly organizationId: string
  readonly mode: Mode
  readonly marketIds?: readonly string[]
  /** Only orders associated with this store, as the core interface shows them. */
  readonly storeId?: string
}

/**
 * Contract, Scopes rule 9: the market and store in scope narrow an integration only when it has a custom role. The
 * restrictions of the role narrow further; what both leave nothing of is no market at all.
 */
export const scopeOf = (caller: Caller, restriction: ReadRestriction = {}): Scope => {
  const { organization, mode } = caller
  const environment: Scope = { organizationId: organization.id, mode }
  const { market, store } = isScopeEffective(caller) ? caller : {}
  const storeId = store?.id ?? restriction.storeId
  const isOtherStore = restriction.storeId !== undefined && restriction.storeId !== storeId
  const allowed = isOtherStore ? [] : restriction.marketIds
  const marketIds = allowed === undefined ? market?.ids : bothOf(market?.ids, allowed)
  return {
    ...environment,
    ...(marketIds === undefined ? {} : { marketIds }),
    ...(storeId === undefined ? {} : { storeId }),
  }
}
