/** Prepared pages in the order of the feed → one batch with the newest state of each order. Pure. */
import { isBlocks, isLines, type AnyPage, type BlockPage } from './prepare-blocks.ts'
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

/** Those of which there is no newer state to store. */
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

/** Throws an Error for no page. */
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

/** Large pages in a row, no order in two of them: written as they are. */
export interface BlockBatch {
  readonly blocks: readonly BlockPage[]
  readonly cursor: string
  readonly caughtUp: boolean
  readonly count: number
}

const toBlockBatch = (blocks: readonly BlockPage[], { cursor, caughtUp }: BlockPage): BlockBatch => ({
  blocks,
  cursor,
  caughtUp,
  count: blocks.reduce((sum, { facts }) => sum + facts.length, 0),
})

/** Pages in the order of the feed → what is written at once, in that order. */
export const toBatches = (pages: readonly AnyPage[]): readonly (Batch | BlockBatch)[] => {
  const batches: (Batch | BlockBatch)[] = []
  let run: AnyPage[] = []
  let keys = new Set<string>()
  const finish = (): void => {
    const last = run.at(-1)
    if (last === undefined) return
    const lines = run.filter(isLines)
    batches.push(isBlocks(last) ? toBlockBatch(run.filter(isBlocks), last) : toBatch(lines))
    run = []
    keys = new Set()
  }
  for (const page of pages) {
    const known = run.at(-1)
    const pageKeys = isBlocks(page) ? page.facts.map(keyOf) : []
    if (known !== undefined && (isBlocks(known) !== isBlocks(page) || pageKeys.some((key) => keys.has(key))))
      finish()
    for (const key of pageKeys) keys.add(key)
    run.push(page)
  }
  finish()
  return batches
}
