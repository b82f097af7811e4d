/** A bounded cache of tokens whose signature was verified, so that each is verified once. */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Caller } from './caller.ts'

/** Stays true until the token expires, unless the key is withdrawn. */
export interface VerifiedToken {
  readonly caller: Caller
  readonly kid: string
  /** `iat` */
  readonly issuedAt: Date
}

export interface VerifiedTokens {
  find(token: string): VerifiedToken | undefined
  remember(token: string, verified: VerifiedToken): void
  forget(token: string): void
  readonly size: number
}

/** @param tokensMax beyond it the least recently used token is dropped */
export const createVerifiedTokens = (tokensMax: number): VerifiedTokens => {
  /** By digest, so that a memory dump holds no usable token. */
  const tokens = new LRUCache<string, VerifiedToken>({ max: tokensMax })
  const digest = (token: string): string => hash('sha256', token, 'base64url')
  return {
    find: (token) => tokens.get(digest(token)),
    remember: (token, verified) => void tokens.set(digest(token), verified),
    forget: (token) => void tokens.delete(digest(token)),
    get size() {
      return tokens.size
    },
  }
}
