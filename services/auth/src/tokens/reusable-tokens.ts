/**
 * Identical requests get one token until 900 s are left (contract, Token lifetime), across replicas (token-slots.ts).
 *
 * The store is asked before a token is signed, unless it has been asked in vain for long: then the token is signed first,
 * and the race for the slot tells whether there was one (docs/adr/0054-signed-before-the-store-is-asked.md).
 *
 * What was found is remembered for a second, so that a busy client does not cost a command for each request, but only
 * while this replica hears of revocations (docs/adr/0027-tokens-remembered-for-a-second.md).
 */
import type { AccessToken } from './access-token.ts'
import { rememberTokens } from './remembered-tokens.ts'
import { createTokenSlots, type IsUsable, type TokenSlotsDeps } from './token-slots.ts'
import { countVainLooks } from './vain-looks.ts'

export interface ReusableTokensDeps extends TokenSlotsDeps {
  /** Whether this replica hears at once what others revoke; while it does not, every request asks the store. */
  readonly isInStep: () => boolean
  /** Milliseconds from whatever beginning: how long something is remembered does not hang on the time of day. */
  readonly elapsedMs?: () => number
}

type Mint = () => Promise<AccessToken>

export interface ReusableTokens {
  /**
   * The current token of this key, or the one `mint` makes when there is none to hand out.
   * @param isUsable what else the caller asks of a token made earlier.
   */
  findOrMint(key: string, mint: Mint, isUsable?: IsUsable): Promise<AccessToken>
  /** After this no request gets the token again, on any replica. */
  forget(key: string, token: Pick<AccessToken, 'tokenId' | 'expiresAtSeconds'>): Promise<void>
}

/**
 * Who asks under a key while it is being answered gets that answer. An entry lets go of its answer before it leaves: old
 * tables of a Map may outlive it (docs/adr/0055-no-tables-that-turn-over.md).
 */
const shareWhatIsUnderWay = <T>() => {
  const underWay = new Map<string, { answer: Promise<T> | undefined }>()
  return (key: string, act: () => Promise<T>): Promise<T> => {
    const before = underWay.get(key)?.answer
    if (before !== undefined) return before
    const entry: { answer: Promise<T> | undefined } = { answer: undefined }
    const end = (): void => {
      entry.answer = undefined
      underWay.delete(key)
    }
    const answer = act().finally(end)
    entry.answer = answer
    underWay.set(key, entry)
    return answer
  }
}

export const createReusableTokens = (deps: ReusableTokensDeps): ReusableTokens => {
  const { isInStep, elapsedMs = () => performance.now() } = deps
  const minting = shareWhatIsUnderWay<AccessToken>()
  const remembered = rememberTokens(elapsedMs)
  const slots = createTokenSlots(deps)
  const looks = countVainLooks()

  const mintOnce = (key: string, head: AccessToken | undefined, mint: Mint, isUsable: IsUsable) =>
    minting(key, async () => {
      const { token, openSlot } = await slots.walk(key, head, isUsable)
      return token ?? (await slots.publish({ key, slot: openSlot }, await mint(), isUsable))
    })

  /** One command where nobody has a token. Where somebody has, the race is lost and theirs is handed out. */
  const mintBeforeLooking = (key: string, mint: Mint, isUsable: IsUsable) =>
    minting(key, async () => {
      const minted = await mint()
      if (await slots.takeIfFree(key, minted)) return minted
      const { token, openSlot } = await slots.walk(key, await slots.read(key), isUsable)
      looks.record(token !== undefined)
      return token ?? (await slots.publish({ key, slot: openSlot }, minted, isUsable))
    })

  return {
    findOrMint: async (key, mint, isUsable = () => true) => {
      const known = isInStep() ? remembered.find(key) : undefined
      if (known !== undefined && slots.canBeHandedOut(known, isUsable)) return known
      const isNewHere = !slots.hasRead(key)
      if (isNewHere && !looks.isWorthLooking()) return mintBeforeLooking(key, mint, isUsable)
      const askedAtMs = elapsedMs()
      const head = await slots.read(key)
      const isFound = head !== undefined && slots.canBeHandedOut(head, isUsable)
      if (isNewHere) looks.record(isFound)
      if (!isFound) return mintOnce(key, head, mint, isUsable)
      remembered.put(key, head, askedAtMs)
      return head
    },

    forget: (key, token) => {
      remembered.forget(key)
      return slots.revoke(key, token)
    },
  }
}
