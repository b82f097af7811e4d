/** Stored private keys: AES-256-GCM under a key derived from a secret that is not in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Secret } from '@merx/config/secret'

export interface KeyEncryption {
  /** `context` is bound to the result: a sealed key cannot be passed off as another one. */
  seal(plain: Uint8Array, context: string): Uint8Array<ArrayBuffer>
  /** @throws Error when the secret or the context is another one, or the bytes were changed. */
  open(sealed: Uint8Array, context: string): Uint8Array<ArrayBuffer>
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Also the version of the format: another derivation gets another label. */
const PURPOSE = 'merx signing keys 1'

export const createKeyEncryption = (secret: Secret): KeyEncryption => {
  const key = new Uint8Array(hkdfSync('sha256', secret.reveal(), '', PURPOSE, KEY_BYTES))
  return {
    seal: (plain, context) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain), cipher.final()])
      return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), body]))
    },
    open: (sealed, context) => {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context))
      decipher.setAuthTag(tag)
      const body = sealed.subarray(NONCE_BYTES + TAG_BYTES)
      return new Uint8Array(Buffer.concat([decipher.update(body), decipher.final()]))
    },
  }
}
