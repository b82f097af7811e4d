/** The signature of what is sent outside, and of what comes back from there later. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_HEADER = 'x-commercelayer-signature'

/** base64 of HMAC-SHA256 over the bytes of the body; the key is the text of the secret. */
export const signatureOf = (body: string | Buffer, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('base64')

/** Whether a caller who knows the secret signed these bytes; takes the same time whatever differs. */
export const isSignedWith = (body: string | Buffer, secret: string, signature: string): boolean => {
  const expected = Buffer.from(signatureOf(body, secret))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
