/**
 * The header Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07) → the key of a request: whose it is, and a fingerprint
 * of what was sent with it. docs/reference/idempotency.md
 */
import { randomUUID } from 'node:crypto'
import type { Caller } from '@merx/access-token/caller'
import { AppError } from '@merx/errors/app-error'
import type { Request } from 'express'
import type { SecretBox } from '../engine/secret-box.ts'
import { KEY_HOURS } from '../engine/sql/idempotency-keys.ts'
import type { RequestKey } from '../engine/sql/idempotency-keys.ts'
import { KEY_SOURCE } from '../engine/write/keyed-write.ts'

const HEADER = KEY_SOURCE.header
export const KEY_CHARACTERS_MAX = 255
/** A String of RFC 9651 (3.3.3): visible ASCII and spaces in quotes, with \" and \\. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
/** Many clients send the value without quotes. */
const BARE = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/

const invalid = (detail: string): AppError =>
  new AppError('idempotency_key_not_valid', { detail, source: KEY_SOURCE })

/** The value without its quotes. Throws AppError `idempotency_key_not_valid`. */
export const parseKey = (header: string): string => {
  const quoted = QUOTED.exec(header)?.[1]?.replaceAll(/\\(["\\])/g, '$1')
  const value = quoted ?? BARE.exec(header)?.[0]
  if (header.trim() === '' || value === '') throw invalid(`${HEADER} is empty; send a random UUID in quotes.`)
  if (value === undefined)
    throw invalid(
      `${HEADER} is not one string of visible ASCII characters in quotes, such as "8e03978e-40d5-43e8-bc93-6894a57f9324".`,
    )
  if (value.length <= KEY_CHARACTERS_MAX) return value
  throw invalid(`${HEADER} has ${value.length} characters; at most ${KEY_CHARACTERS_MAX} are allowed.`)
}

/**
 * Undefined without the header. The key belongs to the application, and to the customer or user it speaks for; the fingerprint is
 * of the method, the address with its query, the scope of the token, and the body, whatever the space between its tokens. Bodies hold
 * passwords, so both are made with the key of core.
 */
export const requestKeyOf = (
  req: Request,
  { application, owner, scope }: Caller,
  environmentId: number,
  { now, secretBox }: { readonly now: Date; readonly secretBox: Pick<SecretBox, 'fingerprint'> },
): RequestKey | undefined => {
  const header = req.get(HEADER)
  if (header === undefined) return undefined
  const hashOf = (...parts: readonly (string | undefined)[]): Buffer =>
    secretBox.fingerprint(JSON.stringify(parts))
  return {
    environmentId,
    hash: hashOf(parseKey(header), application.id, owner?.type, owner?.id),
    fingerprint: hashOf(req.method, req.originalUrl, scope, JSON.stringify(req.body)),
    usedAt: now,
    holder: randomUUID(),
    expiredAt: new Date(now.getTime() - KEY_HOURS * 3_600_000),
  }
}
