/** Workers of another process, one of whose transactions ends as if the process had been killed before the commit. */
import type { Clock } from '@merx/telemetry/clock'
import type { TestCore } from './open-core.ts'
import { openWorker } from './open-worker.ts'

/** Works until nothing is due; transaction number `fatal` does everything but commit. */
export const dieInTransaction = async (
  core: TestCore,
  fatal: number,
  clock: Clock = core.clock,
): Promise<void> => {
  let count = 0
  const worker = openWorker(core, clock, (transaction) => (act, options) => {
    count += 1
    const dies = count === fatal
    return transaction(async (statements) => {
      const result = await act(statements)
      if (dies) throw new Error('killed')
      return result
    }, options)
  })
  await worker.work()
  await worker.close()
  if (count < fatal) throw new Error(`there were only ${count} transactions`)
}
