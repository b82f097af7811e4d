/**
 * The tables of the store: the live ones that queries read, and the shadow tables of other generations
 * (docs/adr/0035-shadow-tables-and-swap.md). Everything here may be repeated after a crash.
 */
import type { Logger } from '@merx/telemetry/logger'
import type { Engine } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'
import type { Layout } from './layout.ts'
import {
  shadowName,
  ADDED_COLUMNS,
  readMark,
  renderAddColumn,
  renderCreateControl,
  renderCreateFed,
  renderDropFed,
  renderSwap,
  renderFirst,
  type TableMark,
} from './render-ddl.ts'
import { controlTables, FED_TABLES, SHAPE, type FedTable } from './table-definitions.ts'

/** What the ingest writes into: live names, or those of a generation that is being built. */
export type TableNames = Readonly<Record<FedTable, string>>

export const LIVE_NAMES: TableNames = { orders: 'orders', returns: 'returns' }

export const shadowNames = (generation: number): TableNames => ({
  orders: shadowName('orders', generation),
  returns: shadowName('returns', generation),
})

export interface StoreTables {
  /**
   * Creates the control tables that are missing, and makes tables of earlier shapes readable. Live tables appear when they hold
   * everything.
   */
  open(): Promise<void>
  /**
   * Of the live tables; undefined in an empty store. A store from before generations is of generation 0 and shape 0; one
   * with half a swap is of shape 0.
   */
  live(): Promise<TableMark | undefined>
  /** Whether some of the live tables are gone, or of an older generation than the others. */
  areTorn(): Promise<boolean>
  /** Creates empty shadow tables of the present shape, unless they are there. */
  build(generation: number): Promise<void>
  /** Makes the tables of the generation the live ones. */
  swap(generation: number): Promise<void>
  /** Completes what a crash cut short: a swap of one table of several, old tables that were not dropped. One process at a time. */
  recover(): Promise<void>
  /** Columns that rows can be written to. */
  columnsOf(names: TableNames): Promise<Readonly<Record<FedTable, ReadonlySet<string>>>>
}

interface Found {
  readonly table: FedTable
  readonly name: string
  readonly mark: TableMark
}

export interface StoreTablesDeps {
  readonly engine: Engine
  readonly layout: Layout
  readonly log: Logger
}

const budget: Budget = {
  timeoutMs: 30_000,
  memoryBytesMax: 500_000_000,
  groupsMax: 100_000,
  rowsMax: 100_000,
}

const BEFORE_GENERATIONS: TableMark = { generation: 0, shape: 0 }
const SHADOW = /^(orders|returns)_g\d+$/

const tableOf = (name: string): FedTable | undefined =>
  FED_TABLES.find((table) => table === name) ?? (SHADOW.exec(name)?.[1] as FedTable | undefined)

const isLive = ({ name, table }: Found): boolean => name === table

const findAll = async (engine: Engine): Promise<readonly Found[]> => {
  const text = 'SELECT name, comment FROM system.tables WHERE database = currentDatabase()'
  const rows = await engine.run({ text, params: {} }, budget)
  return rows.flatMap(({ name, comment }): Found[] => {
    const table = tableOf(String(name))
    const mark = readMark(String(comment)) ?? BEFORE_GENERATIONS
    return table === undefined ? [] : [{ table, name: String(name), mark }]
  })
}

/** `table.column` of those that statements read (docs/adr/0057-the-environment-is-one-column.md). */
const addedSoFar = async (engine: Engine): Promise<ReadonlySet<string>> => {
  const text =
    'SELECT table, name FROM system.columns WHERE database = currentDatabase() AND name IN {names:Array(String)}'
  const rows = await engine.run({ text, params: { names: Object.values(ADDED_COLUMNS).flat() } }, budget)
  return new Set(rows.map(({ table, name }) => `${String(table)}.${String(name)}`))
}

const newestOf = (found: readonly Found[]): number =>
  Math.max(0, ...found.filter(isLive).map(({ mark }) => mark.generation))

const liveOf = (found: readonly Found[], table: FedTable): Found | undefined =>
  found.find((one) => one.table === table && isLive(one))

/** Live tables that a crash between two swaps left behind or missing, and whether what they wait for is there. */
const tornOf = (found: readonly Found[]) => {
  const newest = newestOf(found)
  const behind = FED_TABLES.filter((table) => (liveOf(found, table)?.mark.generation ?? -1) < newest)
  const canFollow = behind.every((table) =>
    found.some(({ name, mark }) => name === shadowName(table, newest) && mark.generation === newest),
  )
  return { newest, isTorn: behind.length > 0, canFollow }
}

export const createStoreTables = ({ engine, layout, log }: StoreTablesDeps): StoreTables => {
  const executeAll = async (statements: readonly string[]): Promise<void> => {
    for (const text of statements) await engine.execute({ text, params: {} })
  }

  const swap = async (generation: number): Promise<void> => {
    const found = await findAll(engine)
    for (const table of FED_TABLES) {
      const live = liveOf(found, table)
      if (live === undefined) await executeAll([renderFirst(table, generation, layout)])
      else if (live.mark.generation < generation) await executeAll([renderSwap(table, generation, layout)])
    }
    log.info({ generation }, 'queries read the tables of a new generation')
  }

  const dropOld = async (): Promise<void> => {
    const found = await findAll(engine)
    const newest = newestOf(found)
    for (const one of found) {
      if (!isLive(one) && one.mark.generation < newest) await executeAll(renderDropFed(one, layout))
    }
  }

  return {
    open: async () => {
      for (const [name, definition] of Object.entries(controlTables))
        await executeAll([renderCreateControl(name, definition, layout)])
      const added = await addedSoFar(engine)
      for (const found of await findAll(engine)) {
        const missing = ADDED_COLUMNS[found.table].filter((column) => !added.has(`${found.name}.${column}`))
        for (const column of missing) await executeAll(renderAddColumn(found, column, layout))
      }
    },
    live: async () => {
      const found = await findAll(engine)
      const { newest: generation, isTorn } = tornOf(found)
      const shapes = found.filter(isLive).map(({ mark }) => mark.shape)
      if (shapes.length === 0) return undefined
      return { generation, shape: isTorn ? 0 : Math.min(...shapes) }
    },
    areTorn: async () => tornOf(await findAll(engine)).isTorn,
    recover: async () => {
      const { newest, isTorn, canFollow } = tornOf(await findAll(engine))
      if (isTorn && canFollow) await swap(newest)
      await dropOld()
    },
    build: async (generation) => {
      const mark = { generation, shape: SHAPE }
      for (const table of FED_TABLES)
        await executeAll(renderCreateFed({ table, name: shadowName(table, generation), mark }, layout))
    },
    swap,
    columnsOf: async (names) => {
      const text = `SELECT table, name FROM system.columns WHERE database = currentDatabase()
AND table IN {tables:Array(String)} AND default_kind IN ('', 'DEFAULT')`
      const rows = await engine.run({ text, params: { tables: Object.values(names) } }, budget)
      const of = (table: FedTable) =>
        new Set(rows.flatMap((row) => (row.table === names[table] ? [String(row.name)] : [])))
      return { orders: of('orders'), returns: of('returns') }
    },
  }
}
