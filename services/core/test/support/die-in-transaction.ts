/** Workers of another process, one of whose transactions ends as if the process had been killed before the commit. */
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { silentLogger } from '@merx/testing/silent-logger'
import { areas, jobs } from '../../src/areas.ts'
import { openDatabase } from '../../src/engine/database/database.ts'
import type { Database } from '../../src/engine/database/database.ts'
import { createRegistry } from '../../src/engine/registry.ts'
import { createJobQueue } from '../../src/jobs/job-queue.ts'
import type { TestCore } from './open-core.ts'

/** Works until nothing is due; transaction number `fatal` does everything but commit. */
export const dieInTransaction = async (core: TestCore, fatal: number): Promise<void> => {
  const database = openDatabase({ url: core.databaseUrl, maxConnections: 2, log: silentLogger })
  let count = 0
  const transaction: Database['transaction'] = (act, options) => {
    count += 1
    const dies = count === fatal
    return database.transaction(async (statements) => {
      const result = await act(statements)
      if (dies) throw new Error('killed')
      return result
    }, options)
  }
  const queue = createJobQueue({
    jobs,
    database: { pool: database.pool, transaction },
    registry: createRegistry(areas, { ids: testIds }),
    clock: core.clock,
    log: silentLogger,
    workers: 1,
  })
  await queue.runUntilIdle()
  await queue.close()
  await database.close()
  if (count < fatal) throw new Error(`there were only ${count} transactions`)
}
