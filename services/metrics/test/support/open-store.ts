/** The real embedded engine in a folder of its own, with its tables. chdb holds one folder per process, so open one at a time. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '../../src/engine/clickhouse-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openTables } from './open-tables.ts'

export interface TestStore {
  readonly engine: Engine
  readonly path: string
  close(): Promise<void>
}

export const openStore = async (): Promise<TestStore> => {
  const path = await mkdtemp(join(tmpdir(), 'merx-metrics-'))
  const engine = openEngine({ path })
  await openTables(engine)
  return {
    engine,
    path,
    close: async () => {
      await engine.close()
      await rm(path, { recursive: true, force: true })
    },
  }
}
