/** Brings the analytics store to the newest shape and ends. `node src/migrate.ts` with the service's environment. */
import { createLogger } from '@merx/telemetry/logger'
import { locationOf } from './compose.ts'
import { loadMetricsConfig, type MetricsConfig } from './config.ts'
import { applyMigrations } from './engine/apply-migrations.ts'
import { openEngine } from './engine/clickhouse-engine.ts'

/** Opens the store of the configuration alone: with the embedded engine no other process may have it open. */
export const migrateMetrics = async (config: MetricsConfig): Promise<void> => {
  const log = createLogger({ service: 'metrics', level: config.logLevel })
  const engine = openEngine(locationOf(config))
  try {
    await applyMigrations(engine, log)
  } finally {
    await engine.close()
  }
}

if (import.meta.main) await migrateMetrics(loadMetricsConfig(process.env))
