/** Prepared pages in the order of the feed → one batch with the newest state of each order. Pure. */
import { UNKNOWN_VERSION, type PoisonedEntry, type PreparedEntry, type PreparedPage } from './prepare-page.ts'

export interface Batch {
  /** Each order once. */
  readonly entries: readonly PreparedEntry[]
  readonly poisoned: readonly PoisonedEntry[]
  /** Of the last page. */
  readonly cursor: string
  readonly caughtUp: boolean
  /** Entries of all pages. */
  readonly count: number
}

export const keyOf = ({
  organizationId,
  mode,
  id,
}: Pick<PreparedEntry, 'organizationId' | 'mode' | 'id'>): string => `${organizationId} ${mode} ${id}`

/** Of two states of an order only the newer is written: the older one's returns may be gone. */
const newestOf = <T extends { readonly version: number }>(
  items: readonly T[],
  key: (item: T) => string,
): readonly T[] => {
  const newest = new Map<string, T>()
  for (const item of items) {
    const known = newest.get(key(item))
    if (known === undefined || known.version <= item.version) newest.set(key(item), item)
  }
  return [...newest.values()]
}

/** Without those whose order has a newer state that can be stored. */
const withoutOutdated = (
  poisoned: readonly PoisonedEntry[],
  newest: readonly PreparedEntry[],
): readonly PoisonedEntry[] => {
  if (poisoned.length === 0) return poisoned
  const versions = new Map(newest.map((entry) => [keyOf(entry), entry.version]))
  return poisoned.filter((entry) => {
    const version = versions.get(keyOf(entry))
    return version === undefined || version <= entry.version || entry.version === UNKNOWN_VERSION
  })
}

/** Throws an Error when there is no page. */
export const toBatch = (pages: readonly PreparedPage[]): Batch => {
  const last = pages.at(-1)
  if (last === undefined) throw new Error('a batch needs a page')
  const entries = pages.flatMap((page) => page.entries)
  const poisoned = pages.flatMap((page) => page.poisoned)
  const newest = newestOf(entries, keyOf)
  return {
    entries: newest,
    poisoned: withoutOutdated(newestOf(poisoned, keyOf), newest),
    cursor: last.cursor,
    caughtUp: last.caughtUp,
    count: entries.length + poisoned.length,
  }
}
