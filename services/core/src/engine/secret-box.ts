/** Encrypts values that are stored for a worker, or shown to confidential credentials alone (AES-256-GCM). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** @param value anything that JSON can hold */
  readonly seal: (value: unknown) => string
  /** Throws when the value was not sealed with this key. */
  readonly open: (sealed: unknown) => unknown
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The key is derived from the secret of ids, so that every replica seals and opens alike. */
export const createSecretBox = (secret: string): SecretBox => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'merx core import secrets', 32))
  const seal = (value: unknown): string => {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, key, iv)
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
  }
  const open = (sealed: unknown): unknown => {
    if (typeof sealed !== 'string') throw new TypeError('the value is not sealed')
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString('utf8'))
  }
  return { seal, open }
}
