/**
 * How many records of each quarter match the conditions of a search that is asked again and again: as long as nothing is written
 * to a quarter, they are not counted again (docs/adr/0060-quarters-at-rest-are-counted-once.md). What is known is exact: it is
 * used only while the quarter is made of the same parts as when it was counted.
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Row } from './engine/engine.ts'
import type { LimitedEngine } from './engine/limit-concurrency.ts'
import type { Partition, Partitions } from './engine/partitions.ts'
import type { SearchPlan } from './plan/plan.ts'
import type { Budget } from './request/limits.ts'
import { searchKeyOf, sortedRange } from './search-key.ts'
import { renderSearchCounts } from './sql/render.ts'
import type { Statement } from './sql/statement.ts'

/** Partitions that need not be read for a page, because all of them was counted and no record of the page is in them. */
export interface LeftOut {
  readonly partitions: readonly string[]
  /** Records in them that match, within the date range. */
  readonly total: number
  /** Rows in them, of all versions. */
  readonly rows: number
  /** The place by which the page has to end: in what is left out, no record of the date range lies at it or before. Infinity: none at all does. */
  readonly edge: number
}

export interface KnownCounts {
  /** For a page of the first `most` records, as of now. */
  leaveOut(
    plan: SearchPlan,
    most: number,
    run: (statement: Statement) => Promise<readonly Row[]>,
  ): Promise<LeftOut>
  /** Of a search that was asked: when it is asked again, its quarters are counted, while no query runs. */
  note(plan: SearchPlan, most: number): void
}

/** Of one partition: records that match and have the date that sorts. Places are its milliseconds, negative in a descending sort. */
interface Count {
  readonly state: string
  readonly total: number
  /** Places of the first ones, in order. */
  readonly first: readonly number[]
  /** Place of the last one. */
  readonly last: number
}

interface Search {
  readonly counts: ReadonlyMap<string, Count>
  /** States by partition when it was asked for the last time. */
  readonly seen: ReadonlyMap<string, string>
  readonly notedAtMs: number
}

/** Beyond it those asked first are forgotten. */
const SEARCHES_MAX = 500
/** Quarters are looked at again after so many milliseconds. */
const NOTE_EVERY_MS = 1_000
/** After so many milliseconds those that could not be counted are: one thread may need longer than a query may take. */
const NOTE_FAILED_AFTER_MS = 60_000
export const NOTHING_LEFT_OUT: LeftOut = { partitions: [], total: 0, rows: 0, edge: Infinity }

interface Known extends Partition {
  readonly count: Count
}

/** The date range in places; undefined when it is not of the date that sorts. */
const placesOf = (plan: SearchPlan) => {
  const range = sortedRange(plan)
  if (range === undefined) return undefined
  const sign = plan.order[0]?.direction === 'asc' ? 1 : -1
  const [start, end] = [sign * range.startMs, sign * range.endMs]
  const beginOf = ({ count }: Known): number => count.first[0] ?? Infinity
  return {
    beginOf,
    isInside: (known: Known): boolean => beginOf(known) >= start && known.count.last <= end,
    isOutside: (known: Known): boolean =>
      known.count.total === 0 || known.count.last < start || beginOf(known) > end,
  }
}

/** The place up to which `most` records are known to lie: none of a page is beyond it. */
const edgeOf = (inside: readonly Known[], most: number): number => {
  const steps = inside.flatMap(({ count: { first, total, last } }) => [
    ...first.map((place) => ({ place, records: 1 })),
    { place: last, records: total - first.length },
  ])
  let records = 0
  for (const step of steps.toSorted((left, right) => left.place - right.place)) {
    records += step.records
    if (records >= most) return step.place
  }
  return Infinity
}

const toCounts = (partitions: readonly Partition[], rows: readonly Row[]): ReadonlyMap<string, Count> => {
  const found = new Map(rows.map((row) => [String(row.id), row]))
  return new Map(
    partitions.map(({ id, state }) => {
      const { total = 0, first, last = 0 } = found.get(id) ?? {}
      const places = Array.isArray(first) ? first.map(Number) : []
      return [id, { state, total: Number(total), first: places, last: Number(last) }]
    }),
  )
}

export interface KnownCountsDeps {
  readonly engine: Pick<LimitedEngine, 'run' | 'quiet'>
  readonly partitions: Partitions
  readonly budget: Budget
  readonly clock: Clock
}

export const createKnownCounts = ({ engine, partitions, budget, clock }: KnownCountsDeps): KnownCounts => {
  const searches = new Map<string, Search>()

  /** One thread: nobody waits for it. */
  const run = (statement: Statement): Promise<readonly Row[]> =>
    engine.run(statement, { ...budget, threadsMax: 1 })

  /** Counts those partitions to which nothing was written since the search was asked before. */
  const count = async (plan: SearchPlan, most: number, search: Search): Promise<Search> => {
    await engine.quiet()
    const { name } = plan.reach.table
    const now = await partitions.now(name, run)
    const seen = new Map(now.map(({ id, state }) => [id, state]))
    const still = new Map([...search.counts].filter(([id, { state }]) => seen.get(id) === state))
    const wanted = now.filter(({ id, state }) => !still.has(id) && search.seen.get(id) === state)
    if (wanted.length === 0) return { ...search, counts: still, seen }
    const rows = await run(renderSearchCounts(plan, { partitions: wanted.map(({ id }) => id), most }))
    const after = new Map((await partitions.now(name, run)).map(({ id, state }) => [id, state]))
    const unchanged = wanted.filter(({ id, state }) => after.get(id) === state)
    return { ...search, counts: new Map([...still, ...toCounts(unchanged, rows)]), seen }
  }

  const keep = (key: string, search: Search): void => {
    searches.delete(key)
    searches.set(key, search)
    const oldest = searches.size > SEARCHES_MAX ? searches.keys().next().value : undefined
    if (oldest !== undefined) searches.delete(oldest)
  }

  let isCounting = false
  return {
    leaveOut: async (plan, most, runNow) => {
      const counts = searches.get(searchKeyOf(plan))?.counts
      const places = placesOf(plan)
      if (counts === undefined || counts.size === 0 || places === undefined) return NOTHING_LEFT_OUT
      const { beginOf, isInside, isOutside } = places
      const known = (await partitions.now(plan.reach.table.name, runNow)).flatMap((partition): Known[] => {
        const count = counts.get(partition.id)
        return count?.state === partition.state ? [{ ...partition, count }] : []
      })
      const inside = known.filter((one) => !isOutside(one) && isInside(one))
      const edge = edgeOf(inside, most)
      const beyond = inside.filter((one) => beginOf(one) > edge)
      const left = [...known.filter(isOutside), ...beyond]
      return {
        partitions: left.map(({ id }) => id),
        total: beyond.reduce((sum, one) => sum + one.count.total, 0),
        rows: left.reduce((sum, { rows }) => sum + rows, 0),
        edge: beyond.length === 0 ? Infinity : edge,
      }
    },
    note: (plan, most) => {
      const key = searchKeyOf(plan)
      const nowMs = clock.now().getTime()
      const search = searches.get(key) ?? { counts: new Map(), seen: new Map(), notedAtMs: -Infinity }
      if (isCounting || nowMs - search.notedAtMs < NOTE_EVERY_MS) return
      isCounting = true
      const noted = { ...search, notedAtMs: nowMs }
      keep(key, noted)
      count(plan, most, noted)
        .then(
          (counted) => {
            keep(key, counted)
          },
          () => {
            // an engine that fails is seen by the query itself
            const againMs = clock.now().getTime() + NOTE_FAILED_AFTER_MS
            keep(key, { counts: new Map(), seen: new Map(), notedAtMs: againMs - NOTE_EVERY_MS })
          },
        )
        .finally(() => {
          isCounting = false
        })
    },
  }
}
