/**
 * The tokens of a reuse key in the store that all replicas share.
 *
 * Each reuse key has a head slot. A token that can no longer be handed out (too old, or revoked) leaves the slot by a
 * race that only one request wins: all that saw it compete, with one atomic "set if absent", for the slot *after that
 * token*. The winner also moves the head on; should it die before, the next request follows the same path and finds
 * the winner's token. Entries live until their token expires, so a head never vanishes while its successor matters.
 */
import type { KeyValue } from '@merx/key-value/key-value'
import type { Clock } from '@merx/telemetry/clock'
import { REISSUE_BEFORE_EXPIRY_SECONDS } from '../clients/lifetimes.ts'
import { readAccessToken, type AccessToken } from './access-token.ts'

export interface TokenSlotsDeps {
  readonly keyValue: KeyValue
  readonly clock: Clock
  readonly isRevoked: (token: Pick<AccessToken, 'tokenId' | 'kid'>) => boolean
}

export type IsUsable = (token: AccessToken) => boolean

export interface TokenSlots {
  canBeHandedOut(token: AccessToken, isUsable: IsUsable): boolean
  /** Follows the chain from its head to a token that can be handed out, or to the slot where the next one belongs. */
  walk(key: string, isUsable: IsUsable): Promise<{ token?: AccessToken; openSlot: string }>
  /** Puts the token into an open slot of the chain, and moves the head on. @returns the one that got there first */
  publish(
    place: { readonly key: string; readonly slot: string },
    minted: AccessToken,
    isUsable: IsUsable,
  ): Promise<AccessToken>
  /** Marks the token wherever in the chain it is. */
  revoke(key: string, token: Pick<AccessToken, 'tokenId' | 'expiresAtSeconds'>): Promise<void>
}

/** A chain longer than this means clocks far apart; the caller then gets a token of its own. */
const CHAIN_LENGTH_MAX = 8

const REVOKED_MARK = 'revoked'

const slotAfter = (key: string, token: AccessToken): string => `${key}:${token.tokenId}`

export const createTokenSlots = ({ keyValue, clock, isRevoked }: TokenSlotsDeps): TokenSlots => {
  const secondsLeft = (expiresAtSeconds: number): number =>
    expiresAtSeconds - Math.floor(clock.now().getTime() / 1000)

  const canBeHandedOut: TokenSlots['canBeHandedOut'] = (token, isUsable) =>
    token.token !== REVOKED_MARK &&
    isUsable(token) &&
    secondsLeft(token.expiresAtSeconds) > REISSUE_BEFORE_EXPIRY_SECONDS &&
    !isRevoked(token)

  const ttlOf = (token: Pick<AccessToken, 'expiresAtSeconds'>) => ({
    ttlSeconds: Math.max(1, secondsLeft(token.expiresAtSeconds)),
  })

  const read = async (slot: string): Promise<AccessToken | undefined> => {
    const text = await keyValue.get(slot)
    return text === undefined ? undefined : readAccessToken(text)
  }

  return {
    canBeHandedOut,

    walk: async (key, isUsable) => {
      let slot = key
      let token = await read(slot)
      for (let steps = 0; token !== undefined && steps < CHAIN_LENGTH_MAX; steps += 1) {
        if (canBeHandedOut(token, isUsable)) return { token, openSlot: slot }
        slot = slotAfter(key, token)
        token = await read(slot)
      }
      return { openSlot: slot }
    },

    publish: async ({ key, slot }, minted, isUsable) => {
      const isFirst = await keyValue.setIfAbsent(slot, JSON.stringify(minted), ttlOf(minted))
      const winner = isFirst ? minted : await read(slot)
      const current = winner ?? minted // an entry nobody can read is replaced
      if (slot !== key || winner === undefined)
        await keyValue.set(key, JSON.stringify(current), ttlOf(current))
      return canBeHandedOut(current, isUsable) ? current : minted
    },

    revoke: async (key, { tokenId, expiresAtSeconds }) => {
      let slot = key
      for (let steps = 0; steps < CHAIN_LENGTH_MAX; steps += 1) {
        const token = await read(slot)
        if (token === undefined) return
        if (token.tokenId === tokenId) {
          const mark: AccessToken = { ...token, token: REVOKED_MARK }
          await keyValue.set(slot, JSON.stringify(mark), ttlOf({ expiresAtSeconds }))
        }
        slot = slotAfter(key, token)
      }
    },
  }
}
