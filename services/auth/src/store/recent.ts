/** Answers that are used again for a short, fixed time. Bounded; callers that ask at once share one look-up. */
import type { Clock } from '@merx/telemetry/clock'

export interface RecentOptions {
  readonly freshMs: number
  readonly entriesMax: number
  readonly clock: Clock
}

export interface Recent<T> {
  get(key: string, load: () => Promise<T>): Promise<T>
  /** Forgets everything; the next of every key is looked up. */
  clear(): void
}

export const createRecent = <T>({ freshMs, entriesMax, clock }: RecentOptions): Recent<T> => {
  const entries = new Map<string, { readonly value: Promise<T>; readonly staleAt: number }>()

  const forgetOldest = (): void => {
    const [oldest] = entries.keys()
    if (oldest !== undefined && entries.size >= entriesMax) entries.delete(oldest)
  }

  return {
    clear: () => entries.clear(),
    get: (key, load) => {
      const now = clock.now().getTime()
      const known = entries.get(key)
      if (known !== undefined && now < known.staleAt) return known.value
      entries.delete(key) // re-inserted below: a Map keeps the order of insertion, oldest first
      forgetOldest()
      const entry = { value: load(), staleAt: now + freshMs }
      entries.set(key, entry)
      // A failed look-up is not an answer; the next caller tries again.
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key)
      })
      return entry.value
    },
  }
}
