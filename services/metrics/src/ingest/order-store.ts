/** Writes a batch to the tables of one generation; what the engine refuses is returned, to be quarantined. */
import type { Clock } from '@merx/telemetry/clock'
import { RowsRefused } from '../engine/engine-errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'
import type { FedTable } from '../store/table-definitions.ts'
import type { StoreTables, TableNames } from '../store/tables.ts'
import { deleteGoneOrders, deleteGoneReturns } from './delete-rows.ts'
import { ORDER_COLUMNS } from './order-row.ts'
import type { EntryFacts, PoisonedEntry, PreparedEntry } from './prepare-page.ts'
import { createQuarantine } from './quarantine.ts'
import { RETURN_COLUMNS } from './return-rows.ts'
import { singleFlight } from './single-flight.ts'

export interface OrderStore {
  /** False when orders were stored once and are gone: the saved position in the feed is void. */
  hasOrders(): Promise<boolean>
  /**
   * Applies entries that name each order once. Applying them again, or older ones later, changes nothing. Returns those that
   * the engine refuses; all others are stored.
   */
  apply(entries: readonly PreparedEntry[]): Promise<readonly PoisonedEntry[]>
  /** Adds entries that could not be stored to the quarantine, and removes those of orders that could. */
  quarantine(poisoned: readonly PoisonedEntry[], stored: readonly EntryFacts[]): Promise<void>
  /** Orders whose newest state is not stored. */
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
  /** Written with each row, so that a table that was swapped meanwhile refuses it; tables from before generations cannot. */
  readonly generation: number | undefined
  readonly columns: readonly string[]
  readonly fit: (line: string) => string
}

const toWriting = (columns: readonly string[], known: ReadonlySet<string>, of: number): Writing => {
  const generation = known.has('generation') ? of : undefined
  const present = columns.filter((column) => known.has(column))
  if (present.length === columns.length) return { generation, columns, fit: (line) => line }
  const places = present.map((column) => columns.indexOf(column))
  const fit = (line: string): string => {
    const values = JSON.parse(line) as readonly unknown[]
    return JSON.stringify(places.map((place) => values[place]))
  }
  return { generation, columns: present, fit }
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

  const readWritings = singleFlight(async () => {
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

  /** Halves a refused batch until the entry that the engine refuses is alone. */
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

  return {
    hasOrders: async () => {
      const text = `SELECT count() AS total FROM ${names.orders}`
      const [row] = await engine.run({ text, params: {} }, budget)
      return Number(row?.total ?? 0) > 0
    },
    apply,
    quarantine: (poisoned, stored) => quarantine.note(poisoned, stored),
    countQuarantined: () => quarantine.count(),
  }
}
