/** The filled store of a shop of some size, stored under `.merx/bench-metrics-<orders>/` for the next run. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openEngine } from '@merx/metrics/engine/clickhouse-engine'
import type { Engine } from '@merx/metrics/engine/engine'
import { SHAPE } from '@merx/metrics/store/table-definitions'
import { createStoreTables } from '@merx/metrics/store/tables'
import { silentLogger } from '@merx/testing/silent-logger'
import { insertOrders, mergeQuarter, QUARTERS } from './order-rows.ts'

const ROOT = path.resolve(import.meta.dirname, '..', '..', '.merx')
/** Orders written by one statement: a part of the table. */
const PART = 200_000
/** Orders of the other environment, as a share of those that are asked. */
const OTHERS = 0.05

/** Where everything of a shop of this size is. */
export const shopFolder = (orders: number): string => path.join(ROOT, `bench-metrics-${orders}`)

const filledMark = (orders: number): string => path.join(shopFolder(orders), 'engine-is-filled')

const budget = { timeoutMs: 60_000, memoryBytesMax: 1e9, groupsMax: 1e6, rowsMax: 10 }

/** Merges of parts on the way cost as much as the rows themselves, and change nothing about what is there in the end. */
const withoutMerges = async (engine: Engine, work: () => Promise<void>): Promise<void> => {
  await engine.execute({ text: 'SYSTEM STOP MERGES orders', params: {} })
  await work()
  await engine.execute({ text: 'SYSTEM START MERGES orders', params: {} })
}

/**
 * Goes on behind what an earlier run wrote. A part that was not written whole is written again, which changes nothing. In
 * the end each quarter is one merged partition.
 */
const fill = async (engine: Engine, orders: number, say: (message: string) => void): Promise<void> => {
  const all = Math.round(orders * (1 + OTHERS))
  const [found] = await engine.run({ text: 'SELECT count() AS total FROM orders FINAL', params: {} }, budget)
  const whole = Math.floor(Number(found?.total ?? 0) / PART)
  await withoutMerges(engine, async () => {
    for (let from = whole * PART; from < all; from += PART) {
      const to = Math.min(from + PART, all)
      await engine.execute({ text: insertOrders(orders, from, to), params: {} })
      say(`${to.toLocaleString('en')} of ${all.toLocaleString('en')} orders are in the engine`)
    }
  })
  say('merging them by quarter')
  for (const quarter of QUARTERS) await engine.execute({ text: mergeQuarter(quarter), params: {} })
}

/** A store of another shape is filled again: there is no feed to build it from. */
const forgetOtherShape = (orders: number): void => {
  const mark = path.join(shopFolder(orders), `engine-has-shape-${SHAPE}`)
  if (existsSync(mark)) return
  for (const old of [path.join(shopFolder(orders), 'engine'), filledMark(orders)])
    rmSync(old, { recursive: true, force: true })
  mkdirSync(shopFolder(orders), { recursive: true })
  writeFileSync(mark, '')
}

/** Opens the store, filled: a minute for a million orders the first time. One process at a time may have it open. */
export const openShop = async (orders: number, say: (message: string) => void): Promise<Engine> => {
  forgetOtherShape(orders)
  const folder = path.join(shopFolder(orders), 'engine')
  mkdirSync(folder, { recursive: true })
  const engine = openEngine({ path: folder })
  const tables = createStoreTables({ engine, layout: { kind: 'single' }, log: silentLogger })
  await tables.open()
  if ((await tables.live()) === undefined) {
    await tables.build(1)
    await tables.swap(1)
  }
  if (!existsSync(filledMark(orders))) {
    await fill(engine, orders, say)
    writeFileSync(filledMark(orders), '')
  }
  return engine
}
