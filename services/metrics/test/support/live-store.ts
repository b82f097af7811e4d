/** What the ingest writes the live tables with. */
import { systemClock } from '@merx/telemetry/clock'
import type { Engine } from '../../src/engine/engine.ts'
import { createOrderStore, type OrderStore } from '../../src/ingest/order-store.ts'
import { LIVE_NAMES, type StoreTables } from '../../src/store/tables.ts'

export const liveStore = (engine: Engine, tables: StoreTables, generation = 1): OrderStore =>
  createOrderStore({ engine, tables, clock: systemClock, names: LIVE_NAMES, generation })
