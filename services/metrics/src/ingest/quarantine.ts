/** Orders whose newest state could not be stored (docs/adr/0036-ingest-failures.md). */
import type { Clock } from '@merx/telemetry/clock'
import type { Engine } from '../engine/engine.ts'
import type { Budget } from '../request/limits.ts'
import { keyOf } from './batch.ts'
import { toInstant } from './forms.ts'
import type { EntryFacts, PoisonedEntry } from './prepare-page.ts'
import { singleFlight } from './single-flight.ts'

export interface Quarantine {
  /** Adds entries that could not be stored, and removes those of orders that could. */
  note(poisoned: readonly PoisonedEntry[], stored: readonly EntryFacts[]): Promise<void>
  count(): Promise<number>
}

export interface QuarantineDeps {
  readonly engine: Engine
  readonly clock: Clock
  readonly generation: number
}

const budget: Budget = { timeoutMs: 30_000, memoryBytesMax: 500_000_000, groupsMax: 10_000, rowsMax: 10_000 }

export const createQuarantine = ({ engine, clock, generation }: QuarantineDeps): Quarantine => {
  const toRow = (entry: PoisonedEntry | EntryFacts) => ({
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

  const find = singleFlight(async (): Promise<Set<string>> => {
    const text = `SELECT organization_id, mode, order_id AS id FROM quarantine FINAL WHERE generation = {generation:UInt32}`
    const rows = await engine.run({ text, params: { generation } }, budget)
    return new Set(rows.map((row) => [row.organization_id, row.mode, row.id].map(String).join(' ')))
  })

  return {
    note: async (poisoned, stored) => {
      const known = await find()
      const settled = known.size === 0 ? [] : stored.filter((entry) => known.has(keyOf(entry)))
      const rows = [...poisoned, ...settled].map(toRow)
      if (rows.length > 0) await engine.insert('quarantine', rows)
      for (const entry of poisoned) known.add(keyOf(entry))
      for (const entry of settled) known.delete(keyOf(entry))
    },
    count: async () => (await find()).size,
  }
}
