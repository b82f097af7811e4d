/**
 * Identical requests get one token until 900 s are left (contract, Token lifetime), across replicas (token-slots.ts).
 * A token is cached for a second while this replica follows revocations (docs/adr/0068-one-token-cache.md).
 */
import { createRecentCache } from '../store/recent-cache.ts'
import type { AccessToken } from './access-token.ts'
import { createTokenSlots, type IsUsable, type TokenSlotsDeps } from './token-slots.ts'

export interface ReusableTokensDeps extends TokenSlotsDeps {
  /** Whether this replica receives revocations in time; while it does not, every request reads the store. */
  readonly isInStep: () => boolean
}

type Mint = () => Promise<AccessToken>

export interface ReusableTokens {
  /**
   * The current token of this key, or the one `mint` makes when there is none to hand out.
   * @param isUsable a further condition on a token made earlier, the same for every caller of the key
   */
  findOrMint(key: string, mint: Mint, isUsable?: IsUsable): Promise<AccessToken>
  /** After this no request gets the token again, on any replica. */
  forget(key: string, token: Pick<AccessToken, 'tokenId' | 'expiresAtSeconds'>): Promise<void>
}

const CACHED_MAX = 10_000

export const createReusableTokens = (deps: ReusableTokensDeps): ReusableTokens => {
  const slots = createTokenSlots(deps)
  const cache = createRecentCache<AccessToken, { mint: Mint; isUsable: IsUsable }>({
    entriesMax: CACHED_MAX,
    clock: deps.clock,
    load: async (key, { mint, isUsable }) => {
      const { token, openSlot } = await slots.walk(key, isUsable)
      return token ?? slots.publish({ key, slot: openSlot }, await mint(), isUsable)
    },
  })

  return {
    findOrMint: async (key, mint, isUsable = () => true) => {
      const cached = deps.isInStep() ? cache.get(key) : undefined
      if (cached !== undefined && slots.canBeHandedOut(cached, isUsable)) return cached
      return cache.forceFetch(key, { context: { mint, isUsable }, forceRefresh: true })
    },

    forget: (key, token) => {
      cache.delete(key)
      return slots.revoke(key, token)
    },
  }
}
