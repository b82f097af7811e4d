/** Merges recorded changes into the bitmaps, so that readers have few to apply. Lists are exact with or without it. */
import type { Queryable } from '../database/database.ts'

const CHANGES_PER_STEP = 5_000

/** Merges until no change is left; returns how many there were, 0 while another process merges. */
export const mergeChanges = async (database: Queryable): Promise<number> => {
  let total = 0
  for (;;) {
    const [row] = await database.query<{ count: number | null }>('SELECT kept.fold($1) AS count', [
      CHANGES_PER_STEP,
    ])
    const count = row?.count ?? 0
    total += count
    if (count < CHANGES_PER_STEP) return total
  }
}
