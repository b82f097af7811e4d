/** Workers of another process on the database of a core, which work until nothing is due. */
import { TEST_ID_SECRET, testIds } from '@merx/jsonapi/fixtures/ids'
import type { Clock } from '@merx/telemetry/clock'
import { silentLogger } from '@merx/testing/silent-logger'
import { areas, jobs } from '../../src/areas.ts'
import { openDatabase } from '../../src/engine/database/database.ts'
import type { Database } from '../../src/engine/database/database.ts'
import { createNumberSource } from '../../src/engine/database/number-source.ts'
import { runOn } from '../../src/engine/database/run-statement.ts'
import { createRegistry } from '../../src/engine/registry.ts'
import { createSecretBox } from '../../src/engine/secret-box.ts'
import { createJobQueue } from '../../src/jobs/job-queue.ts'
import type { TestCore } from './open-core.ts'

export interface Worker {
  readonly work: () => Promise<void>
  readonly close: () => Promise<void>
}

/** `wrap` stands around its transactions. */
export const openWorker = (
  core: Pick<TestCore, 'databaseUrl'>,
  clock: Clock,
  wrap: (transaction: Database['transaction']) => Database['transaction'] = (transaction) => transaction,
): Worker => {
  const database = openDatabase({ url: core.databaseUrl, maxConnections: 2, log: silentLogger })
  const run = runOn(database.pool)
  const shared = {
    database: {
      pool: database.pool,
      transaction: wrap((act, options) => database.transaction(act, options)),
    },
    registry: createRegistry(areas, { ids: testIds }),
    secretBox: createSecretBox(TEST_ID_SECRET),
    clock,
    log: silentLogger,
  }
  // Nothing outside is reached; what is stored between two transactions of a job is.
  const post = () => Promise.reject(new Error('this worker reaches nothing outside'))
  const outside = { ...shared, numbers: createNumberSource(run), run, post }
  const queue = createJobQueue({ ...shared, jobs, outside, workers: 1 })
  return {
    work: () => queue.runUntilIdle(),
    close: async () => {
      await queue.close()
      await database.close()
    },
  }
}
