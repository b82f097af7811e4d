/** The caller's token → what its queries may see. */
import { isScopeEffective, type Caller, type Mode } from '@merx/access-token/caller'

/** `marketIds` undefined: every market of the environment. Empty: none, as when the market in scope was disabled. */
export interface Scope {
  readonly organizationId: string
  readonly mode: Mode
  readonly marketIds?: readonly string[]
  /** Only orders associated with this store, as the core interface shows them. */
  readonly storeId?: string
}

/** Contract, Scopes rule 9: the market and store in scope narrow an integration only when it has a custom role. */
export const scopeOf = (caller: Caller): Scope => {
  const { organization, mode, market, store } = caller
  const environment: Scope = { organizationId: organization.id, mode }
  if (!isScopeEffective(caller)) return environment
  return {
    ...environment,
    ...(market === undefined ? {} : { marketIds: market.ids }),
    ...(store === undefined ? {} : { storeId: store.id }),
  }
}
