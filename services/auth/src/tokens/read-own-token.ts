/** Text → the claims of an access token signed here, expired or not. */
import type { AccessTokenClaims } from '@merx/access-token/claims'
import { isCompactForm } from '@merx/access-token/compact-form'
import { compactVerify, createLocalJWKSet, errors } from 'jose'
import type { KeyRing, KeySet } from '../keys/key-ring.ts'
import { SIGNING_ALGORITHM } from '../keys/signing-key.ts'

/** Importing a key takes longer than verifying with it. */
const imported = new WeakMap<KeySet, ReturnType<typeof createLocalJWKSet>>()

const keysOf = (keySet: KeySet): ReturnType<typeof createLocalJWKSet> => {
  const known = imported.get(keySet) ?? createLocalJWKSet(keySet)
  imported.set(keySet, known)
  return known
}

/** Undefined when the text is no token, or its signature is not ours: then its claims mean nothing. */
export const readOwnToken = async (
  token: string,
  keys: Pick<KeyRing, 'keySet'>,
): Promise<AccessTokenClaims | undefined> => {
  if (!isCompactForm(token)) return undefined
  try {
    const { payload } = await compactVerify(token, keysOf(keys.keySet()), {
      algorithms: [SIGNING_ALGORITHM],
    })
    return JSON.parse(new TextDecoder().decode(payload)) as AccessTokenClaims
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
