/** A process to be killed: deletes old rows of the database of its first argument, until it ends. */
import { createLogger } from '@merx/telemetry/logger'
import { pruneLogs } from '../../src/activity/prune-logs.ts'
import { openDatabase } from '../../src/engine/database/database.ts'
import { openQueue } from './count-runs.ts'

const database = openDatabase({ url: process.argv[2] ?? '', maxConnections: 3 })
const days = {
  eventDays: 90,
  eventCallbackDays: 30,
  webhookDeliveryDays: 30,
  versionDays: 0,
  bulkJobDays: 90,
}
openQueue([pruneLogs(days)], database, createLogger({ service: 'core', level: 'error' })).start()
