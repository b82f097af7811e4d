/** Signed addresses of files: a caller who has one may read the file without a token, for a few minutes. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@merx/telemetry/clock'

/** Core conventions 12: links of job files expire in five minutes; reading the job gives a new one. */
export const FILE_URL_SECONDS = 300

export const FILES_PATH = '/api/files'

export interface SignedUrls {
  /** Path and query, without the origin. */
  sign(key: string): string
  isValid(key: string, expires: unknown, signature: unknown): boolean
}

/** The key is derived from the secret of ids, so that every replica signs and checks alike. */
export const createSignedUrls = (secret: string, clock: Clock): SignedUrls => {
  const hmacKey = Buffer.from(hkdfSync('sha256', secret, '', 'merx core file addresses', 32))
  const signatureOf = (key: string, expires: string): Buffer =>
    createHmac('sha256', hmacKey).update(`${key}.${expires}`).digest()
  return {
    sign: (key) => {
      const expires = String(Math.floor(clock.now().getTime() / 1000) + FILE_URL_SECONDS)
      return `${FILES_PATH}/${key}?expires=${expires}&signature=${signatureOf(key, expires).toString('base64url')}`
    },
    isValid: (key, expires, signature) => {
      if (typeof expires !== 'string' || !/^\d{1,12}$/.test(expires) || typeof signature !== 'string')
        return false
      const given = Buffer.from(signature, 'base64url')
      const right = signatureOf(key, expires)
      return (
        given.length === right.length &&
        timingSafeEqual(given, right) &&
        Number(expires) * 1000 > clock.now().getTime()
      )
    },
  }
}
