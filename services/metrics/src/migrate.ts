/** Creates what is missing in the analytics store and ends; a shape that changed is built by whoever fills the store. `node src/migrate.ts` with the service's environment. */
import { createLogger } from '@merx/telemetry/logger'
import { locationOf } from './compose.ts'
import { loadMetricsConfig, type MetricsConfig } from './config.ts'
import { openEngine } from './engine/clickhouse-engine.ts'
import { layoutOf } from './store/layout.ts'
import { createStoreTables } from './store/tables.ts'

/** Opens the store of the configuration alone: with the embedded engine no other process may have it open. */
export const migrateMetrics = async (config: MetricsConfig): Promise<void> => {
  const log = createLogger({ service: 'metrics', level: config.logLevel })
  const engine = openEngine(locationOf(config))
  try {
    await createStoreTables({ engine, layout: layoutOf(config.clickhouseCluster), log }).open()
  } finally {
    await engine.close()
  }
}

if (import.meta.main) await migrateMetrics(loadMetricsConfig(process.env))
