/** Signing keys: RS512, a kid of 64 hexadecimal digits, three states (auth.md 7.1, 7.2). */
import type { Actor } from '../audit/audit-event.ts'

/**
 * next: published, so that verifiers learn of it before it signs. active: signs. retired: published until the last
 * token it signed has expired.
 */
export type SigningKeyState = 'next' | 'active' | 'retired'

export const SIGNING_ALGORITHM = 'RS512'

/** One entry of the JWKS, in the form of auth.md 7.2. */
export interface PublicJwk {
  readonly kty: 'RSA'
  readonly n: string
  readonly e: string
  readonly kid: string
  readonly alg: typeof SIGNING_ALGORITHM
  readonly use: 'sig'
}

/** As stored: the private half sealed. */
export interface StoredSigningKey {
  readonly kid: string
  readonly state: SigningKeyState
  readonly publicJwk: PublicJwk
  readonly privateKeyEncrypted: Uint8Array
  readonly createdAt: Date
  /** Of a next key: when it begins to sign. */
  readonly activatesAt?: Date
  readonly activatedAt?: Date
  readonly retiredAt?: Date
  /** Of a retired key: when its last token has expired. */
  readonly removableAt?: Date
}

export interface NewSigningKey {
  readonly kid: string
  readonly publicJwk: PublicJwk
  readonly privateKeyEncrypted: Uint8Array<ArrayBuffer>
}

/** A key that is no longer trusted, although tokens it signed would be good. */
export interface WithdrawnKey {
  readonly kid: string
  /** When no verifier can still hold the key, so that the entry can be forgotten. */
  readonly expiresAt: Date
}

export type WithdrawalOutcome = 'withdrawn' | 'withdrawn_before' | 'unknown' | 'needs_successor'

export interface SigningKeyStore {
  /** Keys to publish: next, active, and retired ones that are not removable yet. */
  listPublished(at: Date): Promise<readonly StoredSigningKey[]>
  /** Stores the key as active unless there is an active one; two replicas at once: one wins. */
  insertFirstActive(key: NewSigningKey, at: Date): Promise<void>
  /** Publishes the key as the next one. @returns false when there is a next one already. */
  insertNext(key: NewSigningKey, plan: { at: Date; activatesAt: Date; actor: Actor }): Promise<boolean>
  /**
   * The next key signs from now on, if its time has come; the one before stays published until `removableAt`. Of
   * several replicas one does it.
   */
  activateNext(at: Date, removableAt: Date): Promise<boolean>
  /**
   * Removes the key for good and tells every service. An active one is followed at once by the next key, else by
   * `successor`; without either nothing happens.
   */
  withdraw(
    key: WithdrawnKey,
    plan: { at: Date; actor: Actor; successor?: NewSigningKey | undefined },
  ): Promise<WithdrawalOutcome>
}
