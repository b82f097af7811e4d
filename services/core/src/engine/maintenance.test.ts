import { createFakeClock } from '@merx/testing/fake-clock'
import { silentLogger } from '@merx/testing/silent-logger'
import { mergeChanges } from './bitmap-index/merge-changes.ts'
import type { Queryable } from './database/database.ts'
import { createMaintenance } from './maintenance.ts'

const MERGE = 'kept.fold('
const TRIM = 'kept.forget_catalogue_changes'

/** Answers merges with the given counts, then 0; fails where an error is given. */
const scripted = (merges: (number | null | Error)[]) => {
  const texts: string[] = []
  let notify: (() => void) | undefined
  const query = (text: string): Promise<readonly unknown[]> => {
    texts.push(text)
    notify?.()
    if (!text.includes(MERGE)) return Promise.resolve([])
    const count = merges.shift() ?? 0
    return count instanceof Error ? Promise.reject(count) : Promise.resolve([{ count }])
  }
  const countOf = (part: string): number => texts.filter((text) => text.includes(part)).length
  return {
    // The rows are those that the statements ask for.
    database: { query } as Queryable,
    countOf,
    until: async (part: string, times = 1): Promise<void> => {
      while (countOf(part) < times)
        await new Promise<void>((resolve) => {
          notify = resolve
        })
    },
  }
}

describe('mergeChanges', () => {
  it('continues until a step is not full, and adds up', async () => {
    const { database, countOf } = scripted([5_000, 5_000, 17])
    expect(await mergeChanges(database)).toBe(10_017)
    expect(countOf(MERGE)).toBe(3)
  })

  it('leaves the work to another process that is merging', async () => {
    expect(await mergeChanges(scripted([null]).database)).toBe(0)
  })
})

describe('maintenance', () => {
  const open = (merges: (number | null | Error)[] = []) => {
    const script = scripted(merges)
    const clock = createFakeClock()
    return {
      ...script,
      clock,
      maintenance: createMaintenance({ database: script.database, clock, log: silentLogger }),
    }
  }

  it('merges at every step and trims the log of changes every 30 seconds', async () => {
    const { maintenance, until, countOf, clock } = open([3, 3, 3, 3])
    maintenance.start()
    await until(MERGE, 2)
    expect(countOf(TRIM)).toBe(1)
    clock.advance(30)
    await until(TRIM, 2)
    await maintenance.close()
  })

  it('continues after a failure', async () => {
    const { maintenance, until } = open([new Error('unavailable'), 1])
    maintenance.start()
    await until(TRIM)
    await until(MERGE, 2)
    await maintenance.close()
  })

  it('ends while it waits, and may be closed before it started', async () => {
    const started = open([1])
    started.maintenance.start()
    started.maintenance.start()
    await started.until(MERGE)
    await started.maintenance.close()
    await open().maintenance.close()
  })
})
