/** Texts that only the holder of a key can read or make: AES-256-GCM, the key derived for one purpose (RFC 5869). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Seal {
  readonly seal: (value: unknown) => string
  /** Undefined when the text was made with another key, or was changed. */
  readonly open: (text: string) => unknown
}

/** @param secret with at least 128 bits that nobody can guess */
export const createSeal = (secret: string, purpose: string): Seal => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `merx-console:${purpose}`, KEY_BYTES))
  return {
    seal: (value) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open: (text) => {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      try {
        return JSON.parse(Buffer.concat([opened, decipher.final()]).toString('utf8')) as unknown
      } catch {
        return undefined // made with another key, or changed: final() has no other way to say so
      }
    },
  }
}
