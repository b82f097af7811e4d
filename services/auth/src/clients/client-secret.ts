/** Client ids, client secrets and other opaque tokens: making, hashing, comparing. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const OPAQUE_BYTES = 32
/** 32 random bytes in base64url. */
const CLIENT_ID_SHAPE = /^[A-Za-z0-9_-]{43}$/

/** 256 random bits as 43 base64url characters. */
export const createOpaqueToken = (): string => randomBytes(OPAQUE_BYTES).toString('base64url')

/**
 * One round of SHA-256 and no salt: right here and wrong for passwords. The input has 256 random bits, so there is no
 * dictionary to slow down and no two are alike; a slow hash would only make each token request slow.
 */
export const hashOpaqueToken = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', token, 'buffer'))

/** Constant-time: the time taken says nothing about how much of the secret was right. */
export const isSecretOf = (secretHash: Uint8Array, secret: string): boolean =>
  timingSafeEqual(hashOpaqueToken(secret), secretHash)

/** Anything of another shape is an unknown client and need not be looked up. */
export const isClientIdShaped = (clientId: string): boolean => CLIENT_ID_SHAPE.test(clientId)
