/** The tables of one generation as the ingest writes them: rows of a batch, and what could not be stored. */
import type { Clock } from '@merx/telemetry/clock'
import { RowsRefused } from '../engine/engine-errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'
import type { Statement } from '../sql/statement.ts'
import type { FedTable } from '../store/table-definitions.ts'
import type { StoreTables, TableNames } from '../store/tables.ts'
import { keyOf } from './batch.ts'
import { toInstant } from './columns.ts'
import { deleteGoneOrders, deleteGoneReturns } from './delete-rows.ts'
import { ORDER_COLUMNS } from './order-row.ts'
import type { PoisonedEntry, PreparedEntry } from './prepare-page.ts'
import { RETURN_COLUMNS } from './return-rows.ts'

export interface OrderStore {
  /** False when orders were stored once and are gone: what is remembered about the place in the feed is void. */
  hasOrders(): Promise<boolean>
  /**
   * Applies entries that name each order once. Applying them again, or older ones later, changes nothing. Gives those that
   * the engine cannot take; all others are stored.
   */
  apply(entries: readonly PreparedEntry[]): Promise<readonly PoisonedEntry[]>
  /** Notes entries that could not be stored, and settles those of orders that could. */
  quarantine(poisoned: readonly PoisonedEntry[], stored: readonly PreparedEntry[]): Promise<void>
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
  readonly columns: readonly string[]
  readonly fit: (line: string) => string
}

const toWriting = (columns: readonly string[], known: ReadonlySet<string>): Writing => {
  const kept = columns.filter((column) => known.has(column))
  if (kept.length === columns.length) return { columns, fit: (line) => line }
  const places = kept.map((column) => columns.indexOf(column))
  const fit = (line: string): string => {
    const values = JSON.parse(line) as readonly unknown[]
    return JSON.stringify(places.map((place) => values[place]))
  }
  return { columns: kept, fit }
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
  const { engine, tables, clock, names, generation } = deps
  let writings: Promise<Readonly<Record<FedTable, Writing>>> | undefined

  const readWritings = async () => {
    const known = await tables.columnsOf(names)
    return {
      orders: toWriting(LINE_COLUMNS.orders, known.orders),
      returns: toWriting(LINE_COLUMNS.returns, known.returns),
    }
  }

  const insert = async (table: FedTable, lines: readonly string[]): Promise<void> => {
    if (lines.length === 0) return
    writings ??= readWritings()
    const { columns, fit } = (await writings)[table]
    await engine.insertLines({ table: names[table], columns }, lines.map(fit))
  }

  const executeAll = async (statements: readonly Statement[]): Promise<void> => {
    for (const statement of statements) await engine.execute(statement)
  }

  const write = async (entries: readonly PreparedEntry[]): Promise<void> => {
    await insert(
      'returns',
      entries.flatMap(({ returns }) => returns),
    )
    await executeAll(deleteGoneReturns(names, entries))
    await insert(
      'orders',
      entries.flatMap(({ order }) => order ?? []),
    )
    await executeAll(deleteGoneOrders(names, entries))
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

  const quarantineRow = (entry: PoisonedEntry | PreparedEntry) => ({
    generation,
    organization_id: entry.organizationId,
    mode: entry.mode,
    order_id: entry.id,
    order_version: entry.version,
    reason: 'reason' in entry ? entry.reason : '',
    entry: 'source' in entry ? entry.source : '',
    seen_at: toInstant(clock.now().toISOString()),
    is_settled: 'reason' in entry ? 0 : 1,
  })

  let found: Promise<Set<string>> | undefined
  const findQuarantined = async (): Promise<Set<string>> => {
    const text = `SELECT organization_id, mode, order_id AS id FROM quarantine FINAL WHERE generation = {generation:UInt32}`
    const rows = await engine.run({ text, params: { generation } }, budget)
    return new Set(rows.map((row) => [row.organization_id, row.mode, row.id].map(String).join(' ')))
  }

  return {
    hasOrders: async () => {
      const text = `SELECT count() AS total FROM ${names.orders}`
      const [row] = await engine.run({ text, params: {} }, budget)
      return Number(row?.total ?? 0) > 0
    },
    apply,
    quarantine: async (poisoned, stored) => {
      const known = await (found ??= findQuarantined())
      const settled = stored.filter((entry) => known.has(keyOf(entry)))
      const rows = [...poisoned, ...settled].map(quarantineRow)
      if (rows.length > 0) await engine.insert('quarantine', rows)
      for (const entry of poisoned) known.add(keyOf(entry))
      for (const entry of settled) known.delete(keyOf(entry))
    },
    countQuarantined: async () => (await (found ??= findQuarantined())).size,
  }
}
