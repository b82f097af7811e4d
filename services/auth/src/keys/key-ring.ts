/** The keys of this replica: signs with the active one, publishes all, follows the store. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { CompactSign } from 'jose'
import { generateSigningKey } from './generate-key.ts'
import type { KeyEncryption } from './key-encryption.ts'
import { removableFrom } from './rotation.ts'
import {
  SIGNING_ALGORITHM,
  type PublicJwk,
  type SigningKeyStore,
  type StoredSigningKey,
} from './signing-key.ts'

/** The document of /.well-known/jwks.json. */
export interface KeySet {
  keys: PublicJwk[]
}

export interface SignedToken {
  /** A JWT in compact form. */
  readonly token: string
  readonly kid: string
}

export interface KeyRing {
  /** Over exactly these payload bytes. */
  sign(payload: Uint8Array): Promise<SignedToken>
  /** The same object until the keys are read again; not to be changed. */
  keySet(): KeySet
  /**
   * Reads the keys again: at start, when another replica changed them, and now and then. The next key becomes the
   * active one when its time has come.
   */
  load(): Promise<void>
}

export interface KeyRingDeps {
  readonly store: SigningKeyStore
  readonly encryption: KeyEncryption
  readonly bits: number
  readonly clock: Clock
  readonly log: Logger
}

interface LoadedKeys {
  readonly document: KeySet
  readonly active: ActiveKey
}

interface ActiveKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

export const createKeyRing = ({ store, encryption, bits, clock, log }: KeyRingDeps): KeyRing => {
  let loaded: LoadedKeys | undefined
  let queue: Promise<void> = Promise.resolve()

  const requireLoaded = (): LoadedKeys => {
    if (loaded === undefined) throw new Error('the key ring was used before it was loaded')
    return loaded
  }

  const open = ({ privateKeyEncrypted, kid }: StoredSigningKey): ActiveKey => ({
    kid,
    privateKey: createPrivateKey(Buffer.from(encryption.open(privateKeyEncrypted, kid))),
  })

  const listWithActive = async (): Promise<readonly StoredSigningKey[]> => {
    const keys = await store.listPublished(clock.now())
    if (keys.some((key) => key.state === 'active')) return keys
    log.info({ bits }, 'making the first signing key')
    await store.insertFirstActive(await generateSigningKey(bits, encryption), clock.now())
    return store.listPublished(clock.now())
  }

  const listAfterActivation = async (): Promise<readonly StoredSigningKey[]> => {
    const keys = await listWithActive()
    const now = clock.now()
    const isDue = keys.some(
      ({ state, activatesAt }) => state === 'next' && activatesAt !== undefined && activatesAt <= now,
    )
    if (!isDue) return keys
    if (await store.activateNext(now, removableFrom(now))) log.info('the next signing key is active now')
    return store.listPublished(now)
  }

  const loadNow = async (): Promise<void> => {
    const keys = await listAfterActivation()
    const active = keys.find((key) => key.state === 'active')
    if (active === undefined) throw new Error('no active signing key, although one was just stored')
    const isSame = loaded?.active.kid === active.kid
    loaded = {
      document: { keys: keys.map((key) => key.publicJwk) },
      active: isSame && loaded !== undefined ? loaded.active : open(active),
    }
  }

  return {
    // One after the other: an older reading must not replace a newer one.
    load: () => {
      const next = queue.then(loadNow)
      queue = next.catch(() => undefined) // the caller of this load gets the error; the next one starts clean
      return next
    },
    keySet: () => requireLoaded().document,
    sign: async (payload) => {
      const { kid, privateKey } = requireLoaded().active
      const header = { alg: SIGNING_ALGORITHM, typ: 'JWT', kid }
      return { token: await new CompactSign(payload).setProtectedHeader(header).sign(privateKey), kid }
    },
  }
}
