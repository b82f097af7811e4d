/** A process to be killed: four workers of `countRuns` on the database of its first argument, until it ends. */
import { createLogger } from '@merx/telemetry/logger'
import { openDatabase } from '../../src/engine/database/database.ts'
import { countRuns, openQueue } from './count-runs.ts'

const log = createLogger({ service: 'core', level: 'error' })
openQueue([countRuns], openDatabase({ url: process.argv[2] ?? '', maxConnections: 6, log }), log, 4).start()
setInterval(() => undefined, 60_000)
