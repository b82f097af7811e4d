/**
 * Whether the store is worth asking before a token is signed. Where clients keep their tokens, as they should, nearly
 * every request is for a token that nobody has, and the question is answered in vain.
 */

/**
 * Looks in a row that found nothing, before signing comes first. One find, and the store is asked first again, so at most
 * one signature in 200 requests is made for nothing (docs/adr/0054-signed-before-the-store-is-asked.md).
 */
export const VAIN_LOOKS = 200

export interface VainLooks {
  isWorthLooking(): boolean
  /** @param hasFound whether the store had a token to hand out */
  record(hasFound: boolean): void
}

export const countVainLooks = (): VainLooks => {
  let inVain = 0
  return {
    isWorthLooking: () => inVain < VAIN_LOOKS,
    record: (hasFound) => {
      inVain = hasFound ? 0 : inVain + 1
    },
  }
}
