/** A bounded memory of tokens whose signature was checked, so that each is checked once. */
import { hash } from 'node:crypto'
import type { Caller } from './caller.ts'

/** What a good signature said: it stays true until the token ends, unless the key is withdrawn. */
export interface VerifiedToken {
  readonly caller: Caller
  readonly kid: string
  /** `iat` */
  readonly issuedAt: Date
}

/** A bounded memory of tokens whose signature was checked. */
export interface VerifiedTokens {
  find(token: string): VerifiedToken | undefined
  remember(token: string, verified: VerifiedToken): void
  forget(token: string): void
  readonly size: number
}

/** @param tokensMax beyond it the token used longest ago is forgotten */
export const createVerifiedTokens = (tokensMax: number): VerifiedTokens => {
  /** Used longest ago first. Digests, so that a memory dump holds no usable token. */
  const tokens = new Map<string, VerifiedToken>()
  const digest = (token: string): string => hash('sha256', token, 'base64url')
  return {
    find: (token) => {
      const key = digest(token)
      const found = tokens.get(key)
      if (found === undefined) return undefined
      tokens.delete(key)
      tokens.set(key, found)
      return found
    },
    remember: (token, verified) => {
      tokens.set(digest(token), verified)
      const oldest = tokens.size > tokensMax ? tokens.keys().next().value : undefined
      if (oldest !== undefined) tokens.delete(oldest)
    },
    forget: (token) => {
      tokens.delete(digest(token))
    },
    get size() {
      return tokens.size
    },
  }
}
