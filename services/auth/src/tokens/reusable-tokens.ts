/**
 * Identical requests get one token until 900 s are left (contract, Token lifetime), across replicas.
 *
 * Each reuse key has a head slot. A token that can no longer be handed out (too old, or revoked) leaves the slot by a
 * race that only one request wins: all that saw it compete, with one atomic "set if absent", for the slot *after that
 * token*. The winner also moves the head on; should it die before, the next request follows the same path and finds
 * the winner's token. Entries live until their token expires, so a head never vanishes while its successor matters.
 *
 * What was found is remembered for a second, so that a busy client does not cost a command for each request, but only
 * while this replica hears of revocations (docs/adr/0027-tokens-remembered-for-a-second.md).
 */
import type { KeyValue } from '@merx/key-value/key-value'
import type { Clock } from '@merx/telemetry/clock'
import { REISSUE_BEFORE_EXPIRY_SECONDS } from '../clients/lifetimes.ts'
import type { AccessToken } from './access-token.ts'
import { rememberParsed, rememberTokens } from './remembered-tokens.ts'

export interface ReusableTokensDeps {
  readonly keyValue: KeyValue
  readonly clock: Clock
  readonly isRevoked: (token: Pick<AccessToken, 'tokenId' | 'kid'>) => boolean
  /** Whether this replica hears at once what others revoke; while it does not, every request asks the store. */
  readonly isInStep: () => boolean
  /** Milliseconds from whatever beginning: how long something is remembered does not hang on the time of day. */
  readonly elapsedMs?: () => number
}

export interface ReusableTokens {
  /**
   * The current token of this key, or the one `mint` makes when there is none to hand out.
   * @param isUsable what else the caller asks of a token made earlier.
   */
  findOrMint(
    key: string,
    mint: () => Promise<AccessToken>,
    isUsable?: (token: AccessToken) => boolean,
  ): Promise<AccessToken>
  /** After this no request gets the token again, on any replica. */
  forget(key: string, token: Pick<AccessToken, 'tokenId' | 'expiresAtSeconds'>): Promise<void>
}

/** A chain longer than this means clocks far apart; the caller then gets a token of its own. */
const CHAIN_LENGTH_MAX = 8

const REVOKED_MARK = 'revoked'

type IsUsable = (token: AccessToken) => boolean

/** Who asks under a key while it is being answered gets that answer. */
const shareWhatIsUnderWay = <T>() => {
  const underWay = new Map<string, Promise<T>>()
  return (key: string, act: () => Promise<T>): Promise<T> => {
    const before = underWay.get(key)
    if (before !== undefined) return before
    const started = act().finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
}

export const createReusableTokens = (deps: ReusableTokensDeps): ReusableTokens => {
  const { keyValue, clock, isRevoked, isInStep, elapsedMs = () => performance.now() } = deps
  const minting = shareWhatIsUnderWay<AccessToken>()
  const remembered = rememberTokens(elapsedMs)

  const parsed = rememberParsed()

  const secondsLeft = (expiresAtSeconds: number): number =>
    expiresAtSeconds - Math.floor(clock.now().getTime() / 1000)

  const canBeHandedOut = (token: AccessToken, isUsable: IsUsable): boolean =>
    token.token !== REVOKED_MARK &&
    isUsable(token) &&
    secondsLeft(token.expiresAtSeconds) > REISSUE_BEFORE_EXPIRY_SECONDS &&
    !isRevoked(token)

  const ttlOf = (token: Pick<AccessToken, 'expiresAtSeconds'>) => ({
    ttlSeconds: Math.max(1, secondsLeft(token.expiresAtSeconds)),
  })

  const read = async (slot: string): Promise<AccessToken | undefined> => {
    const text = await keyValue.get(slot)
    return text === undefined ? undefined : parsed(slot, text)
  }

  const slotAfter = (key: string, token: AccessToken): string => `${key}:${token.tokenId}`

  /** Follows the chain from its head to a token that can be handed out, or to the slot where the next one belongs. */
  const walk = async (
    key: string,
    head: AccessToken | undefined,
    isUsable: IsUsable,
  ): Promise<{ token?: AccessToken; openSlot: string }> => {
    let [slot, token] = [key, head]
    for (let steps = 0; token !== undefined && steps < CHAIN_LENGTH_MAX; steps += 1) {
      if (canBeHandedOut(token, isUsable)) return { token, openSlot: slot }
      slot = slotAfter(key, token)
      token = await read(slot)
    }
    return { openSlot: slot }
  }

  const publish = async (
    { key, slot }: { key: string; slot: string },
    minted: AccessToken,
    isUsable: IsUsable,
  ): Promise<AccessToken> => {
    const isWinner = await keyValue.setIfAbsent(slot, JSON.stringify(minted), ttlOf(minted))
    const winner = isWinner ? minted : await read(slot)
    const current = winner ?? minted // an entry nobody can read is replaced
    if (slot !== key || winner === undefined) await keyValue.set(key, JSON.stringify(current), ttlOf(current))
    return canBeHandedOut(current, isUsable) ? current : minted
  }

  const mintOnce = (
    key: string,
    head: AccessToken | undefined,
    mint: () => Promise<AccessToken>,
    isUsable: IsUsable,
  ): Promise<AccessToken> =>
    minting(key, async () => {
      const { token, openSlot } = await walk(key, head, isUsable)
      return token ?? (await publish({ key, slot: openSlot }, await mint(), isUsable))
    })

  return {
    findOrMint: async (key, mint, isUsable = () => true) => {
      const known = isInStep() ? remembered.find(key) : undefined
      if (known !== undefined && canBeHandedOut(known, isUsable)) return known
      const askedAtMs = elapsedMs()
      const head = await read(key)
      if (head === undefined || !canBeHandedOut(head, isUsable)) return mintOnce(key, head, mint, isUsable)
      remembered.put(key, head, askedAtMs)
      return head
    },

    forget: async (key, { tokenId, expiresAtSeconds }) => {
      remembered.forget(key)
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
