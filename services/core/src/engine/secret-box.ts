/** What is secret and must be read again: values encrypted with the key of core (AES-256-GCM), and secrets made of stored seeds. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** @param value anything that JSON can hold */
  readonly seal: (value: unknown) => string
  /** Throws when the value was not sealed with this key. */
  readonly open: (sealed: unknown) => unknown
  /** The secret of a stored seed, 64 hexadecimal digits: nobody makes it of the seed without the key. */
  readonly derive: (seed: string) => string
  /** 32 bytes by which a text is recognized; without the key nobody can try texts, such as passwords, against them. */
  readonly fingerprint: (text: string) => Buffer
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The key is derived from the secret of ids, so that every replica seals and opens alike. */
export const createSecretBox = (secret: string): SecretBox => {
  const keyFor = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const key = keyFor('merx core import secrets')
  const derivingKey = keyFor('merx core shared secrets')
  const fingerprintKey = keyFor('merx core fingerprints')
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
  const derive = (seed: string): string => createHmac('sha256', derivingKey).update(seed).digest('hex')
  const fingerprint = (text: string): Buffer => createHmac('sha256', fingerprintKey).update(text).digest()
  return { seal, open, derive, fingerprint }
}
