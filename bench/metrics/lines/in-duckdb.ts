/** The lines in DuckDB, in this process, with its defaults. Installed on demand like the peers; no part of Merx. */
import { mkdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { installPeer } from '../../peers/install.ts'
import { firstValue, type OpenLineEngine, type Values } from './line-engine.ts'
import { STANDARD_TABLE } from './line-rows.ts'

const VERSION = '1.5.6-r.1'

/** As much of `@duckdb/node-api` as is used here. */
interface Connection {
  readonly run: (sql: string) => Promise<unknown>
  readonly runAndReadAll: (sql: string) => Promise<{ readonly getRowsJson: () => readonly Values[] }>
  readonly closeSync: () => void
}
interface DuckDb {
  readonly DuckDBInstance: {
    readonly create: (
      file: string,
    ) => Promise<{ readonly connect: () => Promise<Connection>; readonly closeSync: () => void }>
  }
}

/** @returns its folder; nothing is fetched when it is there already. */
export const installDuckDb = (): Promise<string> =>
  installPeer({ name: 'duckdb', packages: { '@duckdb/node-api': VERSION }, files: {} })

export const openDuckDb: OpenLineEngine = async (folder) => {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'lines.duckdb')
  const require = createRequire(path.join(await installDuckDb(), 'package.json'))
  const { DuckDBInstance } = require('@duckdb/node-api') as DuckDb
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  const ask = async (sql: string): Promise<readonly Values[]> =>
    (await connection.runAndReadAll(sql)).getRowsJson()
  return {
    version: `DuckDB ${String(firstValue(await ask('SELECT version()')))}`,
    load: async ({ parquet }) => {
      await connection.run(STANDARD_TABLE)
      await connection.run(`INSERT INTO lines SELECT * FROM read_parquet('${parquet}')`)
      await connection.run('CHECKPOINT')
    },
    ask,
    sizeBytes: async () => statSync(file).size,
    close: async () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
