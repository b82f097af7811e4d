/** The in-process stand-in for Redis: same behaviour, one process, gone with it. */
import type { Clock } from '@merx/telemetry/clock'
import { checkEntry, checkKey } from './key-value.ts'
import type { KeyValue } from './key-value.ts'

/** The clock by which entries expire, and the bounds. */
export interface MemoryKeyValueOptions {
  readonly clock: Clock
  /** Beyond it the entry written longest ago goes. Default 100000. */
  readonly entriesMax?: number
}

interface Entry {
  readonly value: string
  readonly expiresAtMs: number
}

/** How many old entries each write looks at: at least twice what it adds, so ended ones never pile up. */
const SWEPT_PER_WRITE = 2

/** @example const store = createMemoryKeyValue({ clock: systemClock }) */
export const createMemoryKeyValue = ({ clock, entriesMax = 100_000 }: MemoryKeyValueOptions): KeyValue => {
  /** In order of writing, oldest first. */
  const entries = new Map<string, Entry>()
  let sweep = entries.entries()

  const read = (key: string): string | undefined => {
    checkKey(key)
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAtMs > clock.now().getTime()) return entry.value
    entries.delete(key)
    return undefined
  }

  /** Goes round the whole map, a few entries per write; no timer to stop, no pause over a large map. */
  const removeSomeEnded = (): void => {
    const now = clock.now().getTime()
    for (let looked = 0; looked < SWEPT_PER_WRITE; looked += 1) {
      const next = sweep.next()
      if (next.done === true) sweep = entries.entries()
      else if (next.value[1].expiresAtMs <= now) entries.delete(next.value[0])
    }
  }

  const write = (key: string, value: string, ttlSeconds: number): void => {
    removeSomeEnded()
    entries.delete(key) // so that a rewritten key counts as new
    const oldest = entries.size >= entriesMax ? entries.keys().next().value : undefined
    if (oldest !== undefined) entries.delete(oldest)
    entries.set(key, { value, expiresAtMs: clock.now().getTime() + ttlSeconds * 1000 })
  }

  return {
    get: async (key) => read(key),
    set: async (key, value, expiry) => {
      checkEntry(key, value, expiry)
      write(key, value, expiry.ttlSeconds)
    },
    setIfAbsent: async (key, value, expiry) => {
      checkEntry(key, value, expiry)
      if (read(key) !== undefined) return false
      write(key, value, expiry.ttlSeconds)
      return true
    },
    take: async (key) => {
      const value = read(key)
      entries.delete(key)
      return value
    },
    delete: async (key) => {
      checkKey(key)
      entries.delete(key)
    },
    close: async () => entries.clear(),
  }
}
