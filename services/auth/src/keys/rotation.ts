/**
 * When keys change. A key is published well before it signs, so that whoever verifies knows it by then, and stays
 * published after it stopped until no token of it can be alive.
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Actor } from '../audit/audit-event.ts'
import { CUSTOM_LIFETIME_SECONDS_MAX } from '../clients/lifetimes.ts'
import { generateSigningKey } from './generate-key.ts'
import type { KeyEncryption } from './key-encryption.ts'
import type { SigningKeyStore, StoredSigningKey } from './signing-key.ts'

/**
 * 300 s that a client may cache the JWKS (routes/jwks.ts), 60 s until core and metrics ask again (key-source.ts of
 * @merx/access-token), 60 s until a replica that missed the announcement reads its keys again.
 */
export const PUBLISHED_AHEAD_SECONDS_MIN = 420
export const PUBLISHED_AHEAD_SECONDS_DEFAULT = 600
export const PUBLISHED_AHEAD_SECONDS_MAX = 604_800

/** A replica that has not heard of the change yet still signs with the old key for up to a minute. */
const LATE_SIGNER_SECONDS = 300

const addSeconds = (instant: Date, seconds: number): Date => new Date(instant.getTime() + seconds * 1_000)

/** From when on a key that is retired at `at` may go: no lifetime is longer than the longest that can be set. */
export const removableFrom = (at: Date): Date =>
  addSeconds(at, CUSTOM_LIFETIME_SECONDS_MAX + LATE_SIGNER_SECONDS)

export const isPublishedAheadAllowed = (seconds: number): boolean =>
  Number.isInteger(seconds) &&
  seconds >= PUBLISHED_AHEAD_SECONDS_MIN &&
  seconds <= PUBLISHED_AHEAD_SECONDS_MAX

/** The secret at hand is not the one the services seal their keys with. */
export class ForeignSecret extends Error {
  override readonly name = 'ForeignSecret'
}

/** No service has made the first key yet, so there is nothing to rotate, and no way to check the secret. */
export class NoActiveKey extends Error {
  override readonly name = 'NoActiveKey'
}

export interface RotationDeps {
  readonly store: SigningKeyStore
  readonly encryption: KeyEncryption
  readonly bits: number
  readonly clock: Clock
  readonly actor: Actor
}

export type RotationOutcome =
  | { readonly kind: 'published'; readonly kid: string; readonly activatesAt: Date }
  /** Another rotation is under way; its key signs from then on. */
  | { readonly kind: 'under_way'; readonly kid: string; readonly activatesAt: Date | undefined }

/** A key sealed with another secret would stop every replica from signing once it is active. */
export const requireSameSecret = (
  encryption: KeyEncryption,
  active: Pick<StoredSigningKey, 'kid' | 'privateKeyEncrypted'>,
): void => {
  try {
    encryption.open(active.privateKeyEncrypted, active.kid)
  } catch (cause) {
    throw new ForeignSecret(`the active key ${active.kid} cannot be opened with this secret`, { cause })
  }
}

/**
 * Publishes the next key. Running replicas make it the active one once `aheadSeconds` are over.
 * @throws ForeignSecret, NoActiveKey
 */
export const rotateKeys = async (aheadSeconds: number, deps: RotationDeps): Promise<RotationOutcome> => {
  const { store, encryption, bits, clock, actor } = deps
  const published = await store.listPublished(clock.now())
  const active = published.find(({ state }) => state === 'active')
  if (active === undefined) throw new NoActiveKey('there is no active signing key')
  requireSameSecret(encryption, active)
  if (!published.some(({ state }) => state === 'next')) {
    const key = await generateSigningKey(bits, encryption)
    const at = clock.now()
    const activatesAt = addSeconds(at, aheadSeconds)
    if (await store.insertNext(key, { at, activatesAt, actor }))
      return { kind: 'published', kid: key.kid, activatesAt }
  }
  const next = (await store.listPublished(clock.now())).find(({ state }) => state === 'next')
  if (next === undefined) throw new Error('the next key became active while this rotation was under way')
  return { kind: 'under_way', kid: next.kid, activatesAt: next.activatesAt }
}
