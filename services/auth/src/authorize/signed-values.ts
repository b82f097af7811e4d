/** Small values that a browser keeps for us and cannot change: JSON and its HMAC-SHA256. Not secret to the browser. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@merx/config/secret'

export interface SignedValues {
  /** `purpose` is bound to the result: a value signed for one cannot pass for another. */
  sign(purpose: string, value: unknown): string
  /** Undefined unless `text` was signed here for this purpose. */
  read(purpose: string, text: string): unknown
  /** A digest only this service can make, 43 characters of base64url. */
  digest(purpose: string, text: string): string
}

const KEY_BYTES = 32
/** Also the version of the format: another derivation gets another label. */
const LABEL = 'merx authorize values 1'
const TEXT_LENGTH_MAX = 2_048

export const isSameText = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const createSignedValues = (secret: Secret): SignedValues => {
  const key = new Uint8Array(hkdfSync('sha256', secret.reveal(), '', LABEL, KEY_BYTES))
  const digest = (purpose: string, text: string): string =>
    createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')
  return {
    digest,
    sign: (purpose, value) => {
      const body = Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${body}.${digest(purpose, body)}`
    },
    read: (purpose, text) => {
      const [body = '', signature = '', ...rest] = text.length > TEXT_LENGTH_MAX ? [] : text.split('.')
      if (rest.length > 0 || !isSameText(signature, digest(purpose, body))) return undefined
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as unknown
    },
  }
}
