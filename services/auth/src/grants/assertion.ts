/**
 * The assertion of the JWT bearer grant → what it asks for (auth.md 2.6). Its signature is not checked: the client's
 * secret vouches for it, and clients sign it with a key everybody knows.
 */
import { AppError } from '@merx/errors/app-error'
import type { Owner } from '../tokens/owner.ts'

export interface Assertion {
  readonly owner?: Owner
  readonly customClaim?: Record<string, unknown>
}

export const ASSERTION_BYTES_MAX = 4_096
const CLAIMS_KEY = 'https://commercelayer.io/claims'
/** How far apart the clocks of the client and this machine may be. */
const CLOCK_SKEW_SECONDS = 60
/** Clients make an assertion for one request; one that is older, or good for longer, is lying about somewhere. */
const AGE_SECONDS_MAX = 86_400
/** The last second of the year 9999; milliseconds taken for seconds are far beyond. */
const SECONDS_MAX = 253_402_300_799
/** Ids are letters; anything else would only fail further inside, where it travels in a path. */
const OWNER_ID = /^[A-Za-z]{1,64}$/
const BASE64URL = /^[A-Za-z0-9_-]+$/

/** The wording clients compare is in the catalogue; the reason goes into meta. */
export const invalidAssertion = (reason: string, cause?: unknown): AppError =>
  new AppError('invalid_assertion', { meta: { reason }, cause })

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const decodeJson = (part: string, what: string): Record<string, unknown> => {
  if (!BASE64URL.test(part)) throw invalidAssertion(`the ${what} is not base64url`)
  const value = parseUtf8Json(Buffer.from(part, 'base64url'), what)
  if (!isObject(value)) throw invalidAssertion(`the ${what} is not a JSON object`)
  return value
}

const parseUtf8Json = (bytes: Uint8Array, what: string): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw invalidAssertion(`the ${what} is not JSON in UTF-8`, error)
  }
}

const readTime = (payload: Record<string, unknown>, name: 'exp' | 'nbf' | 'iat'): number | undefined => {
  const value = payload[name]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidAssertion(`${name} is not a number of seconds`)
  if (value < 0 || value > SECONDS_MAX) throw invalidAssertion(`${name} is not between 1970 and 9999`)
  return value
}

/** RFC 7519 4.1.4 to 4.1.6; how far off they may be is ours to say (RFC 7523 3). None of these claims is required. */
const requireValidNow = (payload: Record<string, unknown>, nowSeconds: number): void => {
  const expiresAt = readTime(payload, 'exp')
  if (expiresAt !== undefined && expiresAt <= nowSeconds - CLOCK_SKEW_SECONDS)
    throw invalidAssertion('it has expired (exp)')
  if (expiresAt !== undefined && expiresAt > nowSeconds + AGE_SECONDS_MAX + CLOCK_SKEW_SECONDS)
    throw invalidAssertion(`exp is more than ${AGE_SECONDS_MAX} seconds ahead`)
  const issuedAt = readTime(payload, 'iat')
  if (issuedAt !== undefined && issuedAt < nowSeconds - AGE_SECONDS_MAX - CLOCK_SKEW_SECONDS)
    throw invalidAssertion(`iat is more than ${AGE_SECONDS_MAX} seconds ago`)
  for (const name of ['nbf', 'iat'] as const) {
    const from = readTime(payload, name)
    if (from !== undefined && from > nowSeconds + CLOCK_SKEW_SECONDS)
      throw invalidAssertion(`${name} is in the future`)
  }
}

const readOwner = (claims: Record<string, unknown>): Owner | undefined => {
  const { owner } = claims
  if (owner === undefined) return undefined
  if (!isObject(owner)) throw invalidAssertion('owner is not an object with type and id')
  const { type, id } = owner
  if (type !== 'Customer' && type !== 'User') throw invalidAssertion('owner.type must be Customer or User')
  if (typeof id !== 'string' || !OWNER_ID.test(id)) {
    throw invalidAssertion('owner.id must be a string of 1 to 64 letters')
  }
  return { type, id }
}

/** JSON reads 1e400 as infinite and cannot write it: the claim would not be the one that was sent. */
const hasFiniteNumbers = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers)
}

const readCustomClaim = (claims: Record<string, unknown>): Record<string, unknown> | undefined => {
  const { custom_claim: customClaim } = claims
  if (customClaim !== undefined && !isObject(customClaim))
    throw invalidAssertion('custom_claim is not an object')
  if (!hasFiniteNumbers(customClaim)) throw invalidAssertion('custom_claim has a number that is too large')
  return customClaim
}

/** @throws AppError invalid_assertion with the reason in meta. */
export const parseAssertion = (assertion: string, now: Date): Assertion => {
  if (Buffer.byteLength(assertion) > ASSERTION_BYTES_MAX)
    throw invalidAssertion(`it is larger than ${ASSERTION_BYTES_MAX} bytes`)
  const [header, payload, signature, ...more] = assertion.split('.')
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) {
    throw invalidAssertion('it is not a JWT of three parts')
  }
  decodeJson(header, 'header')
  const content = decodeJson(payload, 'payload')
  requireValidNow(content, Math.floor(now.getTime() / 1000))
  const claims = content[CLAIMS_KEY]
  if (!isObject(claims)) throw invalidAssertion(`the payload has no object '${CLAIMS_KEY}'`)
  const owner = readOwner(claims)
  const customClaim = readCustomClaim(claims)
  if (owner === undefined && customClaim === undefined)
    throw invalidAssertion('it has neither owner nor custom_claim')
  return { ...(owner === undefined ? {} : { owner }), ...(customClaim === undefined ? {} : { customClaim }) }
}
