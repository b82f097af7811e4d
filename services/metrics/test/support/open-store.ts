/** The real embedded engine in a folder of its own, migrated. chdb holds one folder per process, so open one at a time. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@merx/testing/silent-logger'
import { applyMigrations } from '../../src/engine/apply-migrations.ts'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'

export interface TestStore {
  readonly engine: Engine
  readonly path: string
  close(): Promise<void>
}

export const openStore = async (): Promise<TestStore> => {
  const path = await mkdtemp(join(tmpdir(), 'merx-metrics-'))
  const engine = openEngine({ path })
  await applyMigrations(engine, silentLogger)
  return {
    engine,
    path,
    close: async () => {
      await engine.close()
      await rm(path, { recursive: true, force: true })
    },
  }
}
