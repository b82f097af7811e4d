/** A process to be killed: the workers of imports and exports on the database of its first argument, until it ends. */
import { TEST_ID_SECRET } from '@merx/jsonapi/fixtures/ids'
import { createPublicIds } from '@merx/jsonapi/public-id'
import { createRegistry } from '@merx/jsonapi/registry'
import { createLogger } from '@merx/telemetry/logger'
import { exportStep } from '../../src/exports/export-step.ts'
import { importStep } from '../../src/imports/import-step.ts'
import { createSealedValues } from '../../src/imports/sealed-values.ts'
import { createJobRunner } from '../../src/jobs/job-runner.ts'
import { resources } from '../../src/resources/index.ts'
import { openDatabase } from '../../src/store/database.ts'

const log = createLogger({ service: 'core', level: 'error' })
const deps = {
  database: openDatabase({ url: process.argv[2] ?? '', maxConnections: 4, log }),
  registry: createRegistry(resources, { ids: createPublicIds({ secret: TEST_ID_SECRET }) }),
  sealedValues: createSealedValues(TEST_ID_SECRET),
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
