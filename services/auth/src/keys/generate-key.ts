/** A new RSA key pair, ready to be stored. */
import { createHash } from 'node:crypto'
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import type { KeyEncryption } from './key-encryption.ts'
import { SIGNING_ALGORITHM, type NewSigningKey } from './signing-key.ts'

/** The thumbprint of RFC 7638, in hexadecimal: 64 digits, and the same content always has the same kid. */
const thumbprint = (n: string, e: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('hex')

export const generateSigningKey = async (bits: number, encryption: KeyEncryption): Promise<NewSigningKey> => {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { modulusLength: bits, extractable: true })
  const { n, e } = await exportJWK(pair.publicKey)
  if (n === undefined || e === undefined) throw new Error('the generated key is no RSA key')
  const kid = thumbprint(n, e)
  const pkcs8 = await exportPKCS8(pair.privateKey)
  return {
    kid,
    publicJwk: { kty: 'RSA', n, e, kid, alg: SIGNING_ALGORITHM, use: 'sig' },
    privateKeyEncrypted: encryption.seal(new TextEncoder().encode(pkcs8), kid),
  }
}
