/**
 * Pauses merges of shadow tables while they are filled: nobody reads them yet, and a merge costs as much as writing its rows
 * (docs/adr/0050-no-merges-while-filling.md). Only in the embedded engine, which shares the processors of this process, and
 * which forgets the pause when the process ends; a server would keep it after a crash.
 */
import type { Engine } from '../engine/engine.ts'
import type { TableNames } from '../store/tables.ts'

/** Each batch is a part in every quarter that it has orders of. The engine slows writes down at 1,000 parts of a quarter. */
export const BATCHES_WITHOUT_MERGES = 100

export interface MergePause {
  /** Counts a batch; after many of them merges resume, though the tables are not full. */
  noteBatch(): void
  /** Resumes merges. May be called again. Throws when they could not be resumed. */
  end(): Promise<void>
}

const send = async (engine: Engine, names: TableNames, action: 'STOP' | 'START'): Promise<void> => {
  for (const name of Object.values(names))
    await engine.execute({ text: `SYSTEM ${action} MERGES ${name}`, params: {} })
}

export const pauseMerges = async (engine: Engine, names: TableNames): Promise<MergePause> => {
  await send(engine, names, 'STOP')
  let batches = 0
  let ended: Promise<void> | undefined
  const end = (): Promise<void> => (ended ??= send(engine, names, 'START'))
  return {
    noteBatch: () => {
      batches += 1
      if (batches === BATCHES_WITHOUT_MERGES) end().catch(() => undefined) // the caller of end() receives the error
    },
    end,
  }
}
