/** The token of a password reset: 32 random bytes that only the mailbox of the customer should hold. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Row } from '@merx/jsonapi/attributes'
import type { SecretBox } from '../engine/secret-box.ts'

const TOKEN_BYTES = 32

/** A token has as many bits as its hash, so no salt and no slow hash would add anything. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** The columns of a new token: its hash to compare with, and the token itself, sealed. */
export const newTokenColumns = (secretBox: Pick<SecretBox, 'seal'>): Row => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token_hash: hashOf(token), sealed_token: secretBox.seal(token) }
}

/** A reset of an email that nobody has holds no token. */
export const NO_TOKEN: Row = { token_hash: null, sealed_token: null }

export const isTokenOf = (hash: string | null, token: string): boolean =>
  hash !== null && timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(token)))
