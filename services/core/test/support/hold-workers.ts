/** A process to be killed: the workers of the jobs of core on the database of its first argument, until it ends. */
import { TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { systemClock } from '@merx/telemetry/clock'
import { createLogger } from '@merx/telemetry/logger'
import { areas, jobs } from '../../src/areas.ts'
import { openDatabase } from '../../src/engine/database/database.ts'
import { createRegistry } from '../../src/engine/registry.ts'
import { createJobQueue } from '../../src/jobs/job-queue.ts'

const log = createLogger({ service: 'core', level: 'error' })
createJobQueue({
  jobs,
  database: openDatabase({ url: process.argv[2] ?? '', maxConnections: 4, log }),
  registry: createRegistry(areas, { ids: createPublicIds({ secret: TEST_ID_SECRET }) }),
  clock: systemClock,
  log,
  workers: 2,
}).start()
setInterval(() => undefined, 60_000)
