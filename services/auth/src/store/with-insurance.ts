/**
 * A key-value store that answers from this process while the shared one is unavailable or slow: tokens are issued all the
 * same, and none waits long for Redis. While it lasts each replica hands out tokens of its own.
 */
import { KeyValueUnavailable, type KeyValue } from '@merx/key-value/key-value'
import type { Clock } from '@merx/telemetry/clock'

export interface InsuranceOptions {
  readonly clock: Clock
  /** How long an answer may take before this process answers itself. Default 250. */
  readonly answerMs?: number
  /** How long a store that failed is left alone, so that requests do not all wait for it. Default 1000. */
  readonly pauseMs?: number
}

type Act<T> = (store: KeyValue) => Promise<T>

/** Longest a code lives (grants/authorization-codes.ts). */
const TAKEN_SECONDS = 600

const takenSlotOf = (key: string): string => `taken:${key}`

/** What comes after the time is over is dropped. */
const within = async <T>(ms: number, answer: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new KeyValueUnavailable(`no answer within ${ms} ms`)), ms)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

export const withInsurance = (
  shared: KeyValue,
  local: KeyValue,
  { clock, answerMs = 250, pauseMs = 1_000 }: InsuranceOptions,
): KeyValue => {
  let unavailableUntilMs = -Infinity

  const insured = async <T>(act: Act<T>, otherwise: Act<T> = act): Promise<T> => {
    if (clock.now().getTime() < unavailableUntilMs) return otherwise(local)
    try {
      return await within(answerMs, act(shared))
    } catch (error) {
      if (!(error instanceof KeyValueUnavailable)) throw error
      unavailableUntilMs = clock.now().getTime() + pauseMs // connectRedis logs that Redis is unavailable
      return otherwise(local)
    }
  }

  /** What is in both stores, because an answer came too late, must still be taken once. */
  const takeShared =
    (key: string): Act<string | undefined> =>
    async (store) => {
      const value = await store.take(key)
      await local.delete(key)
      return (await local.take(takenSlotOf(key))) === undefined ? value : undefined
    }

  const takeLocal =
    (key: string): Act<string | undefined> =>
    async (store) => {
      const value = await store.take(key)
      if (value !== undefined) await store.set(takenSlotOf(key), '1', { ttlSeconds: TAKEN_SECONDS })
      return value
    }

  return {
    get: (key) => insured((store) => store.get(key)),
    set: (key, value, expiry) => insured((store) => store.set(key, value, expiry)),
    setIfAbsent: (key, value, expiry) => insured((store) => store.setIfAbsent(key, value, expiry)),
    take: (key) => insured(takeShared(key), takeLocal(key)),
    delete: (key) => insured((store) => store.delete(key)),
    close: async () => {
      await shared.close()
      await local.close()
    },
  }
}
