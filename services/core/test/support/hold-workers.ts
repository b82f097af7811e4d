/** A process to be killed: the workers of imports and exports on the database of its first argument, until it ends. */
import { TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { createLogger } from '@merx/telemetry/logger'
import { areas } from '../../src/areas.ts'
import { exportStep } from '../../src/bulk/exports/export-step.ts'
import { importStep } from '../../src/bulk/imports/import-step.ts'
import { openDatabase } from '../../src/engine/database/database.ts'
import { createRegistry } from '../../src/engine/registry.ts'
import { createJobRunner } from '../../src/jobs/job-runner.ts'

const log = createLogger({ service: 'core', level: 'error' })
const deps = {
  database: openDatabase({ url: process.argv[2] ?? '', maxConnections: 4, log }),
  registry: createRegistry(areas, { ids: createPublicIds({ secret: TEST_ID_SECRET }) }),
  now: () => new Date(),
  log,
}
createJobRunner({
  steps: [() => importStep(deps), () => exportStep(deps)],
  concurrency: 2,
  pollMs: 50,
  log,
}).start()
setInterval(() => undefined, 60_000)
