import { createFakeClock } from '@merx/testing/fake-clock'
import { silentLogger } from '@merx/testing/silent-logger'
import type { Queryable } from '../engine/database/database.ts'
import { createKeptUpkeep, foldChanges } from './kept-upkeep.ts'

interface Call {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Answers folds with the given counts, then 0; fails where an error is given. */
const scripted = (folds: (number | null | Error)[]) => {
  const calls: Call[] = []
  let heard: (() => void) | undefined
  const query = (text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> => {
    calls.push({ text, values })
    heard?.()
    if (!text.includes('kept.fold(')) return Promise.resolve([])
    const count = folds.shift() ?? 0
    return count instanceof Error ? Promise.reject(count) : Promise.resolve([{ count }])
  }
  return {
    // The rows are those that the statements asked for.
    database: { query } as Queryable,
    calls,
    until: async (text: string, times = 1): Promise<readonly Call[]> => {
      for (;;) {
        const matching = calls.filter((call) => call.text.includes(text))
        if (matching.length >= times) return matching
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
    },
  }
}

describe('foldChanges', () => {
  it('goes on until a step is not full, and adds up', async () => {
    const { database, calls } = scripted([5_000, 5_000, 17])
    expect(await foldChanges(database)).toBe(10_017)
    expect(calls).toHaveLength(3)
  })

  it('leaves it to another process that is at it', async () => {
    expect(await foldChanges(scripted([null]).database)).toBe(0)
  })
})

describe('the upkeep of kept sets', () => {
  const open = (folds: (number | null | Error)[] = []) => {
    const script = scripted(folds)
    const clock = createFakeClock()
    return {
      ...script,
      clock,
      upkeep: createKeptUpkeep({ database: script.database, clock, log: silentLogger }),
    }
  }

  it('folds, keeps what was asked for once, and folds the log of codes', async () => {
    const { upkeep, until } = open([3])
    upkeep.note(7, 'SKU')
    upkeep.note(7, 'SKU')
    upkeep.note(8, 'SKU')
    upkeep.start()
    await until('kept.fold_codes')
    await upkeep.close()
    const kept = await until('kept.keep_code_start')
    expect(kept.map(({ values }) => values.slice(0, 2))).toEqual([
      [7, 'SKU'],
      [8, 'SKU'],
    ])
  })

  it('goes on after a failure', async () => {
    const { upkeep, until } = open([new Error('away'), 1])
    upkeep.start()
    await until('kept.fold_codes')
    await upkeep.close()
    expect(await until('kept.fold(', 2)).not.toHaveLength(1)
  })

  it('asks about a start again when a minute has gone', async () => {
    const { upkeep, until, clock } = open()
    upkeep.note(7, 'SKU')
    clock.advance(59)
    upkeep.note(7, 'SKU')
    clock.advance(2)
    upkeep.note(7, 'SKU')
    upkeep.start()
    expect(await until('kept.keep_code_start', 2)).toHaveLength(2)
    await upkeep.close()
  })

  it('ends while it waits, and may be closed before it began', async () => {
    const begun = open([1])
    begun.upkeep.start()
    begun.upkeep.start()
    await begun.until('kept.fold(')
    await begun.upkeep.close()
    await open().upkeep.close()
  })
})
