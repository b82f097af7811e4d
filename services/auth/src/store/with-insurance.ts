/** A key-value store that answers from this process while the shared one is away: tokens are issued all the same. */
import { KeyValueUnavailable, type KeyValue } from '@merx/key-value/key-value'

/** While Redis is away each replica hands out tokens of its own; nothing else changes. */
export const withInsurance = (shared: KeyValue, local: KeyValue): KeyValue => {
  const insured = async <T>(act: (store: KeyValue) => Promise<T>): Promise<T> => {
    try {
      return await act(shared)
    } catch (error) {
      if (error instanceof KeyValueUnavailable) return act(local) // connectRedis logs that Redis is away
      throw error
    }
  }
  return {
    get: (key) => insured((store) => store.get(key)),
    set: (key, value, expiry) => insured((store) => store.set(key, value, expiry)),
    setIfAbsent: (key, value, expiry) => insured((store) => store.setIfAbsent(key, value, expiry)),
    take: (key) => insured((store) => store.take(key)),
    delete: (key) => insured((store) => store.delete(key)),
    close: async () => {
      await shared.close()
      await local.close()
    },
  }
}
