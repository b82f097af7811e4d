/** What this process remembers of the tokens it hands out again. */
import { readAccessToken, type AccessToken } from './access-token.ts'

/** How long a token is handed out without looking into the store. */
export const REMEMBERED_MS = 1_000
const REMEMBERED_MAX = 10_000

/** The tokens found lately, by reuse key. */
export const rememberTokens = (elapsedMs: () => number) => {
  /** Found longest ago first. */
  const byKey = new Map<string, { readonly token: AccessToken; readonly untilMs: number }>()
  return {
    find: (key: string): AccessToken | undefined => {
      const entry = byKey.get(key)
      return entry !== undefined && elapsedMs() < entry.untilMs ? entry.token : undefined
    },
    /** @param askedAtMs when the store was asked, not when it answered */
    put: (key: string, token: AccessToken, askedAtMs: number): void => {
      byKey.delete(key)
      byKey.set(key, { token, untilMs: askedAtMs + REMEMBERED_MS })
      for (const [oldest, { untilMs }] of byKey) {
        if (untilMs > elapsedMs() && byKey.size <= REMEMBERED_MAX) return
        byKey.delete(oldest)
      }
    },
    forget: (key: string): void => {
      byKey.delete(key)
    },
  }
}

/** Texts parsed lately: a slot is read far more often than written. */
const PARSED_MAX = 2_000

export interface ParsedTokens {
  /** Parses only what differs from what the slot held the last time. */
  readonly parse: (slot: string, text: string) => AccessToken | undefined
  /** Whether the slot held something lately. */
  readonly has: (slot: string) => boolean
}

export const rememberParsed = (): ParsedTokens => {
  const bySlot = new Map<string, { readonly text: string; readonly token: AccessToken | undefined }>()
  return {
    parse: (slot, text) => {
      const known = bySlot.get(slot)
      if (known?.text === text) return known.token
      const token = readAccessToken(text)
      if (known === undefined && bySlot.size >= PARSED_MAX) bySlot.clear()
      bySlot.set(slot, { text, token })
      return token
    },
    has: (slot) => bySlot.has(slot),
  }
}
