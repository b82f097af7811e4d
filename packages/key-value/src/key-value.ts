/** Hot state that may be lost at any moment: codes, current tokens, counters' neighbours. Never the only copy. */

/** How long an entry lives. */
export interface Expiry {
  /** Whole seconds, 1 to 31 days. */
  readonly ttlSeconds: number
}

/**
 * Strings under keys, each with an end. Every call rejects with KeyValueUnavailable when the store cannot answer,
 * and throws a RangeError for a key, value or lifetime outside the limits.
 */
export interface KeyValue {
  /** The value, or undefined when there is none or its time is over. */
  get(key: string): Promise<string | undefined>
  /** Writes or replaces, with a new lifetime. */
  set(key: string, value: string, expiry: Expiry): Promise<void>
  /** Writes only when the key is free, atomically. @returns whether it wrote */
  setIfAbsent(key: string, value: string, expiry: Expiry): Promise<boolean>
  /** Reads and removes, atomically: of several callers at once exactly one gets the value. */
  take(key: string): Promise<string | undefined>
  /** Removes; a missing key is fine. */
  delete(key: string): Promise<void>
  /** Releases what the store itself holds; a client passed in stays open. */
  close(): Promise<void>
}

/** The store did not answer: what it holds is, for now, lost. The cause says why. */
export class KeyValueUnavailable extends Error {
  override readonly name = 'KeyValueUnavailable'
}

/** Same for every implementation, so that a service behaves alike on a laptop and on a cluster. */
export const limits = { keyBytesMax: 512, valueBytesMax: 65_536, ttlSecondsMax: 31 * 86_400 } as const

/** @throws RangeError naming the limit; keys are shown by length only, since they may hold secrets. */
export const checkKey = (key: string): void => {
  const bytes = Buffer.byteLength(key)
  if (bytes < 1 || bytes > limits.keyBytesMax) {
    throw new RangeError(`a key has 1 to ${limits.keyBytesMax} bytes, not ${bytes}`)
  }
}

/** @throws RangeError naming the limit that key, value or lifetime breaks. */
export const checkEntry = (key: string, value: string, { ttlSeconds }: Expiry): void => {
  checkKey(key)
  const bytes = Buffer.byteLength(value)
  if (bytes > limits.valueBytesMax) {
    throw new RangeError(`a value has at most ${limits.valueBytesMax} bytes, not ${bytes}`)
  }
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > limits.ttlSecondsMax) {
    throw new RangeError(`ttlSeconds is a whole number from 1 to ${limits.ttlSecondsMax}, not ${ttlSeconds}`)
  }
}
