/** Where verification keys come from: a fixed set, or auth's JWKS kept up to date. */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import { compile } from '@merx/validation/compile'
import { createLocalJWKSet, errors } from 'jose'
import type { JSONWebKeySet, JWK, JWSHeaderParameters } from 'jose'

/** The keys could not be asked for, so whether a token is valid is not known. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

type Key = Awaited<ReturnType<ReturnType<typeof createLocalJWKSet>>>

/** Where the verifier gets auth's public keys from. */
export interface KeySource {
  /**
   * The key a token header names.
   * @throws JWKSNoMatchingKey (jose) when there is none; KeysUnavailable when that cannot be known
   */
  find(header: JWSHeaderParameters): Promise<Key>
  /** Whether tokens of this key are still good: false once auth withdrew it. */
  isCurrent(kid: string): boolean
}

/** Where auth publishes its keys, and what tells how old they are. */
export interface RemoteKeysOptions {
  /** `<auth>/.well-known/jwks.json` */
  readonly url: string
  readonly clock: Clock
  readonly log?: Logger | undefined
}

/** An unknown kid asks auth again, but not more often than this: anyone can make up a kid. */
const COOLDOWN_MS = 1000
/** How old the set may get before it is fetched again behind a request, to notice withdrawn keys. */
const FRESH_MS = 60_000
const TIMEOUT_MS = 3000
const DOCUMENT_CHARACTERS_MAX = 262_144

const checkKeySet = compile<JSONWebKeySet>({
  type: 'object',
  required: ['keys'],
  properties: {
    keys: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['kty'],
        properties: { kty: { type: 'string' }, kid: { type: 'string' } },
      },
    },
  },
})

/** Keys that cannot sign our tokens are left out, so that a new kind of key in the document breaks nothing. */
const isUsable = ({ kty, alg, use, kid }: JWK): boolean =>
  kty === 'RSA' && kid !== undefined && (alg ?? 'RS512') === 'RS512' && (use ?? 'sig') === 'sig'

interface Held {
  readonly kids: ReadonlySet<string>
  readonly find: ReturnType<typeof createLocalJWKSet>
}

const hold = (document: unknown): Held => {
  const result = checkKeySet(document)
  if (!result.ok)
    throw new Error(
      `not a JWKS: ${result.violations.map((violation) => `${violation.pointer} ${violation.message}`).join('; ')}`,
    )
  const keys = result.value.keys.filter(isUsable)
  return { kids: new Set(keys.map((key) => key.kid ?? '')), find: createLocalJWKSet({ keys }) }
}

/** A set that never changes. @throws Error when it is no JWKS */
export const createFixedKeys = (keySet: JSONWebKeySet): KeySource => {
  const held = hold(keySet)
  return { find: held.find, isCurrent: (kid) => held.kids.has(kid) }
}

/**
 * Auth's keys, fetched at first use, again for a kid not seen before, and behind a request once a minute. While auth
 * is unavailable the keys already known go on working.
 */
export const createRemoteKeys = ({ url, clock, log }: RemoteKeysOptions): KeySource => {
  let held: Held | undefined
  let fetchedAtMs = -Infinity
  let askedAtMs = -Infinity
  let lastFailure: unknown
  let pending: Promise<void> | undefined

  const fetchOnce = async (): Promise<void> => {
    try {
      held = hold(await fetchJson(url))
      fetchedAtMs = clock.now().getTime()
      lastFailure = undefined
    } catch (error) {
      if (lastFailure === undefined)
        log?.warn({ err: error, url }, 'the keys of access tokens cannot be fetched')
      lastFailure = error
    }
  }

  /** One request at a time, whoever waits for it. */
  const refresh = (): Promise<void> => {
    const now = clock.now().getTime()
    if (pending === undefined && now - askedAtMs >= COOLDOWN_MS) {
      askedAtMs = now
      pending = fetchOnce().finally(() => {
        pending = undefined
      })
    }
    return pending ?? Promise.resolve()
  }

  const find = async (header: JWSHeaderParameters): Promise<Key> => {
    const kid = header.kid ?? ''
    const isKnown = held?.kids.has(kid) === true
    if (!isKnown) await refresh()
    else if (clock.now().getTime() - fetchedAtMs > FRESH_MS) void refresh()
    if (held?.kids.has(kid) === true) return held.find(header)
    // Nothing ever fetched, or the last attempt failed: the key may well exist.
    if (held === undefined || lastFailure !== undefined) {
      throw new KeysUnavailable('the keys of access tokens cannot be fetched', { cause: lastFailure })
    }
    throw new errors.JWKSNoMatchingKey()
  }
  return { find, isCurrent: (kid) => held?.kids.has(kid) === true }
}

const fetchJson = async (url: string): Promise<unknown> => {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  const text = await response.text()
  if (text.length > DOCUMENT_CHARACTERS_MAX)
    throw new Error(`${url} gave more than ${DOCUMENT_CHARACTERS_MAX} characters`)
  return JSON.parse(text)
}
