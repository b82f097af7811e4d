/** The tables of one generation as the ingest writes them: rows of a batch, and what could not be stored. */
import type { Clock } from '@merx/telemetry/clock'
import { RowsRefused } from '../engine/engine-errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'
import type { FedTable } from '../store/table-definitions.ts'
import type { StoreTables, TableNames } from '../store/tables.ts'
import { askOnce } from './ask-once.ts'
import { deleteGoneOrders, deleteGoneReturns } from './delete-rows.ts'
import { ORDER_COLUMNS } from './order-row.ts'
import type { BlockPage } from './prepare-blocks.ts'
import type { EntryFacts, PoisonedEntry, PreparedEntry } from './prepare-page.ts'
import { createQuarantine } from './quarantine.ts'
import { RETURN_COLUMNS } from './return-rows.ts'

export interface OrderStore {
  /** False when orders were stored once and are gone: what is remembered about the place in the feed is void. */
  hasOrders(): Promise<boolean>
  /**
   * Applies entries that name each order once. Applying them again, or older ones later, changes nothing. Gives those that
   * the engine cannot take; all others are stored.
   */
  apply(entries: readonly PreparedEntry[]): Promise<readonly PoisonedEntry[]>
  /** Whether the engine and its tables take blocks: not those of a server, nor tables of an older shape. */
  takesBlocks(): Promise<boolean>
  /**
   * Writes pages of which no two name the same order. False when the engine refuses one of them: then nothing or something was
   * written, and all of it is to be applied as entries.
   */
  applyBlocks(pages: readonly BlockPage[]): Promise<boolean>
  /** Notes entries that could not be stored, and settles those of orders that could. */
  quarantine(poisoned: readonly PoisonedEntry[], stored: readonly EntryFacts[]): Promise<void>
  /** Orders whose newest state is not stored, as far as is known here. */
  countQuarantined(): Promise<number>
}

export interface OrderStoreDeps {
  readonly engine: Engine
  readonly tables: Pick<StoreTables, 'columnsOf'>
  readonly clock: Clock
  readonly names: TableNames
  readonly generation: number
}

const budget: Budget = { timeoutMs: 30_000, memoryBytesMax: 500_000_000, groupsMax: 10_000, rowsMax: 10_000 }

const LINE_COLUMNS: Readonly<Record<FedTable, readonly string[]>> = {
  orders: ORDER_COLUMNS,
  returns: RETURN_COLUMNS,
}

/** How the lines of a table are written: as they are, or without values that an older shape has no place for. */
interface Writing {
  /** What rows say of it, so that a table that was exchanged meanwhile refuses them; tables from before generations cannot. */
  readonly generation: number | undefined
  readonly columns: readonly string[]
  readonly fit: (line: string) => string
}

const toWriting = (columns: readonly string[], known: ReadonlySet<string>, of: number): Writing => {
  const generation = known.has('generation') ? of : undefined
  const kept = columns.filter((column) => known.has(column))
  if (kept.length === columns.length) return { generation, columns, fit: (line) => line }
  const places = kept.map((column) => columns.indexOf(column))
  const fit = (line: string): string => {
    const values = JSON.parse(line) as readonly unknown[]
    return JSON.stringify(places.map((place) => values[place]))
  }
  return { generation, columns: kept, fit }
}

const refusedEntry = (entry: PreparedEntry, refusal: RowsRefused): PoisonedEntry => {
  const { organizationId, mode, id, version, order = '', returns } = entry
  return {
    organizationId,
    mode,
    id,
    version,
    reason: refusal.message,
    source: [order, ...returns].join('\n'),
  }
}

export const createOrderStore = (deps: OrderStoreDeps): OrderStore => {
  const { engine, tables, names, generation: own } = deps
  const quarantine = createQuarantine(deps)

  const readWritings = askOnce(async () => {
    const known = await tables.columnsOf(names)
    return {
      orders: toWriting(LINE_COLUMNS.orders, known.orders, own),
      returns: toWriting(LINE_COLUMNS.returns, known.returns, own),
    }
  })

  const writingOf = async (table: FedTable): Promise<Writing> => (await readWritings())[table]
  const generationOf = async (table: FedTable) => (await writingOf(table)).generation

  const insert = async (table: FedTable, lines: readonly string[]): Promise<void> => {
    if (lines.length === 0) return
    const { columns, generation, fit } = await writingOf(table)
    await engine.insertLines({ table: names[table], columns, generation }, lines.map(fit))
  }

  const executeAll = async (statements: readonly Statement[]): Promise<void> => {
    for (const statement of statements) await engine.execute(statement)
  }

  const write = async (entries: readonly PreparedEntry[]): Promise<void> => {
    await insert(
      'returns',
      entries.flatMap(({ returns }) => returns),
    )
    await executeAll(deleteGoneReturns(names, entries, await generationOf('returns')))
    await insert(
      'orders',
      entries.flatMap(({ order }) => order ?? []),
    )
    await executeAll(deleteGoneOrders(names, entries, await generationOf('orders')))
  }

  /** Halves what is refused until the entry that the engine cannot take is alone. */
  const apply = async (entries: readonly PreparedEntry[]): Promise<readonly PoisonedEntry[]> => {
    try {
      await write(entries)
      return []
    } catch (error) {
      const [only, ...more] = entries
      if (!(error instanceof RowsRefused) || only === undefined) throw error
      if (more.length === 0) return [refusedEntry(only, error)]
      const half = Math.ceil(entries.length / 2)
      return [...(await apply(entries.slice(0, half))), ...(await apply(entries.slice(half)))]
    }
  }

  const takesBlocks = async (): Promise<boolean> => {
    if (engine.insertBlocks === undefined) return false
    const [orders, returns] = [await writingOf('orders'), await writingOf('returns')]
    return (
      orders.columns.length === LINE_COLUMNS.orders.length &&
      returns.columns.length === LINE_COLUMNS.returns.length
    )
  }

  const applyBlocks = async (pages: readonly BlockPage[]): Promise<boolean> => {
    const returns = pages.flatMap((page) => page.returns ?? [])
    const orders = pages.map((page) => page.orders)
    const facts = pages.flatMap((page) => page.facts)
    try {
      const [ofReturns, ofOrders] = [await writingOf('returns'), await writingOf('orders')]
      if (returns.length > 0) await engine.insertBlocks?.({ ...ofReturns, table: names.returns }, returns)
      await executeAll(deleteGoneReturns(names, facts, ofReturns.generation))
      await engine.insertBlocks?.({ ...ofOrders, table: names.orders }, orders)
      return true
    } catch (error) {
      if (error instanceof RowsRefused) return false
      throw error
    }
  }

  return {
    hasOrders: async () => {
      const text = `SELECT count() AS total FROM ${names.orders}`
      const [row] = await engine.run({ text, params: {} }, budget)
      return Number(row?.total ?? 0) > 0
    },
    apply,
    takesBlocks,
    applyBlocks,
    quarantine: (poisoned, stored) => quarantine.note(poisoned, stored),
    countQuarantined: () => quarantine.count(),
  }
}
