/**
 * No merges in tables that are filled beside the live ones: nobody reads them yet, and a merge costs as much as writing its rows.
 * Only in the embedded engine, which has the processors of this process, and which forgets it when the process ends.
 */
import type { Engine } from '../engine/engine.ts'
import type { TableNames } from '../store/tables.ts'

/** Each is a part, or one for each quarter that it has orders of. The engine slows writes down at 1,000 parts. */
export const BATCHES_WITHOUT_MERGES = 100

export interface MergeBreak {
  /** Counts; after many batches merges go on, though the tables are not full. */
  noteBatch(): void
  /** Lets merges go on. Repeating is harmless. */
  end(): Promise<void>
}

const tell = async (engine: Engine, names: TableNames, what: 'STOP' | 'START'): Promise<void> => {
  for (const name of Object.values(names))
    await engine.execute({ text: `SYSTEM ${what} MERGES ${name}`, params: {} })
}

/** Begins it. */
export const takeMergeBreak = async (engine: Engine, names: TableNames): Promise<MergeBreak> => {
  const isWorthIt = engine.insertBlocks !== undefined
  if (isWorthIt) await tell(engine, names, 'STOP')
  let batches = 0
  let ended: Promise<void> | undefined
  const end = (): Promise<void> => (ended ??= isWorthIt ? tell(engine, names, 'START') : Promise.resolve())
  return {
    noteBatch: () => {
      batches += 1
      if (batches === BATCHES_WITHOUT_MERGES) end().catch(() => undefined) // whoever ends the break is told
    },
    end,
  }
}
