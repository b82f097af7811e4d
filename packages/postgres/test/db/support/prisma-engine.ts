/**
 * Prisma's own schema engine, the one behind `prisma migrate deploy` and `prisma migrate status`, in the WebAssembly build that
 * Prisma publishes (the same code as the binary it downloads), over its own adapter for PostgreSQL.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg'
import { Pool } from 'pg'
import { readMigrationFolder } from '../../../src/migration-folder.ts'

type Exports = Readonly<Record<string, unknown>>

/** The global of that name, which the types of the DOM describe and ours leave out. */
interface WebAssemblyGlobal {
  instantiate(
    bytes: Uint8Array,
    imports: Exports,
  ): Promise<{ readonly instance: { readonly exports: Exports } }>
}

interface Glue {
  __wbg_set_wasm(exports: Exports): void
  readonly SchemaEngine: typeof SchemaEngine
}

const GLUE = glue as unknown as Glue

/** Node does not load WebAssembly by import without a flag, so this does what the package's index does. */
const loadEngine = async (): Promise<typeof SchemaEngine> => {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'))
  const bytes = readFileSync(path.join(folder, 'schema_engine_bg.wasm'))
  const { WebAssembly: webAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyGlobal }
  const { instance } = await webAssembly.instantiate(bytes, { './schema_engine_bg.js': glue })
  GLUE.__wbg_set_wasm(instance.exports)
  const { __wbindgen_start: start } = instance.exports as { __wbindgen_start?: () => void }
  start?.()
  return GLUE.SchemaEngine
}

/**
 * Prisma's adapter cuts a script at every semicolon, those in comments and function bodies too. The engine that Prisma downloads
 * sends it whole, which is what `prisma migrate deploy` does; so does this.
 */
const wholeScripts = (url: string, pool: Pool) => {
  const factory = new PrismaPg({ connectionString: url })
  const opened: { dispose(): Promise<void> }[] = []
  const connectCutting = factory.connect.bind(factory)
  const connect = async () => {
    const adapter = await connectCutting()
    opened.push(adapter)
    adapter.executeScript = async (script) => {
      await pool.query(script)
    }
    return adapter
  }
  const dispose = async (): Promise<void> => {
    for (const adapter of opened) await adapter.dispose()
  }
  return { factory: Object.assign(factory, { connect }), dispose }
}

const FILTERS = { externalTables: [], externalEnums: [] }
const DATA_MODEL = 'datasource db {\n  provider = "postgresql"\n}\n'

const listOf = async (folder: string): Promise<MigrationList> => ({
  baseDir: folder,
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: (await readMigrationFolder(folder)).map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
  })),
})

/** Prisma's two commands on one database and one folder. */
export interface PrismaMigrate {
  /** `prisma migrate deploy`: names of what it applied. */
  deploy(): Promise<readonly string[]>
  /** `prisma migrate status`. */
  status(): Promise<{
    readonly edited: readonly string[]
    readonly failed: readonly string[]
    readonly history: unknown
    readonly hasTable: boolean
  }>
  /** Ends its connections, one of which holds the lock of migrations. */
  close(): Promise<void>
}

let engineClass: Promise<typeof SchemaEngine> | undefined

export const openPrismaMigrate = async (url: string, folder: string): Promise<PrismaMigrate> => {
  engineClass ??= loadEngine()
  const Engine = await engineClass
  const pool = new Pool({ connectionString: url, max: 2 })
  const { factory, dispose } = wholeScripts(url, pool)
  const adapter = bindMigrationAwareSqlAdapterFactory(factory)
  const options = { datamodels: [['schema.prisma', DATA_MODEL]] as [string, string][] }
  const engine = await Engine.new(options, () => undefined, adapter)
  let isClosed = false
  return {
    deploy: async () => {
      const migrationsList = await listOf(folder)
      return (await engine.applyMigrations({ migrationsList, filters: FILTERS })).appliedMigrationNames
    },
    status: async () => {
      const migrationsList = await listOf(folder)
      const found = await engine.diagnoseMigrationHistory({
        migrationsList,
        optInToShadowDatabase: false,
        filters: FILTERS,
      })
      const { editedMigrationNames, failedMigrationNames, history, hasMigrationsTable } = found
      return {
        edited: editedMigrationNames,
        failed: failedMigrationNames,
        history,
        hasTable: hasMigrationsTable,
      }
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      engine.free()
      await dispose()
      await pool.end()
    },
  }
}
