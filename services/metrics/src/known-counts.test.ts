import { createFakeClock } from '@merx/testing/fake-clock'
import { attribute, orders } from '../test/support/search-engine.ts'
import type { Row } from './engine/engine.ts'
import type { Partition } from './engine/partitions.ts'
import { createKnownCounts } from './known-counts.ts'
import type { SearchPlan } from './plan/plan.ts'
import type { Statement } from './sql/statement.ts'

const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }
const date = attribute('order.current_date')

const planOf = (changes: Partial<SearchPlan> = {}, from = 0, to = 1_000): SearchPlan => ({
  kind: 'search',
  reach: {
    table: orders.table,
    environment: { organizationId: 'orgAAAAAAA', mode: 'test' },
    range: { attribute: date, from: new Date(from), to: new Date(to) },
    predicates: [],
  },
  fields: [attribute('order.id')],
  order: [
    { attribute: date, direction: 'desc' },
    { attribute: attribute('order.id'), direction: 'desc' },
  ],
  limit: 1,
  ...changes,
})

const ascending = planOf({
  order: [
    { attribute: date, direction: 'asc' },
    { attribute: attribute('order.id'), direction: 'asc' },
  ],
})

/** Milliseconds of the records of each quarter, one after the other. */
type Records = Readonly<Record<string, readonly number[]>>

const THREE: Records = { q1: [100, 110, 120], q2: [200, 210, 220], q3: [300, 310, 320] }

/** Counts as the engine does, from records that the test holds. */
const openCounts = (given: Records = THREE) => {
  let records = given
  const states = new Map(Object.keys(records).map((id) => [id, '1']))
  const counted: Statement[] = []
  let whileCounting = (): void => undefined
  const now = async (): Promise<readonly Partition[]> =>
    [...states].map(([id, state]) => ({ id, state, rows: 1_000 }))
  const run = async (statement: Statement): Promise<readonly Row[]> => {
    counted.push(statement)
    const lists = Object.values(statement.params).filter((value) => Array.isArray(value))
    const wanted = lists.flat() as readonly unknown[]
    const sign = statement.text.includes('max(-') ? -1 : 1
    const most = Number(/groupArraySorted\((\d+)\)/.exec(statement.text)?.[1])
    const rows = Object.entries(records)
      .filter(([id, dates]) => wanted.includes(id) && dates.length > 0)
      .map(([id, dates]): Row => {
        const places = dates.map((ms) => sign * ms).toSorted((a, b) => a - b)
        return {
          id,
          total: String(places.length),
          first: places.slice(0, most).map(String),
          last: String(places.at(-1)),
        }
      })
    whileCounting()
    return rows
  }
  const clock = createFakeClock()
  const counts = createKnownCounts({
    engine: { run, quiet: async () => undefined },
    partitions: { now },
    budget,
    clock,
  })
  return {
    counts,
    counted,
    clock,
    write: (id: string, dates: readonly number[]) => {
      records = { ...records, [id]: dates }
      states.set(id, `${states.get(id) ?? ''}+`)
    },
    whileCounting: (work: () => void) => {
      whileCounting = work
    },
    /** As a search that asks for so many of the first records. */
    ask: async (plan: SearchPlan, most = 2) => {
      clock.advance(2)
      counts.note(plan, most)
      for (let turns = 0; turns < 20; turns += 1) await Promise.resolve()
    },
    leaveOut: (plan: SearchPlan, most = 2) => counts.leaveOut(plan, most, run),
  }
}

const NOTHING = { partitions: [], total: 0, rows: 0, edge: Infinity }

describe('what a search leaves out', () => {
  it('is nothing when it is asked for the first and the second time', async () => {
    const { ask, leaveOut, counted } = openCounts()
    expect(await leaveOut(planOf())).toEqual(NOTHING)
    await ask(planOf())
    expect(counted).toHaveLength(0)
    expect(await leaveOut(planOf())).toEqual(NOTHING)
  })

  it('is what lies behind the page in quarters that were counted when it was asked again', async () => {
    const { ask, leaveOut, counted } = openCounts()
    await ask(planOf())
    await ask(planOf())
    expect(counted).toHaveLength(1)
    expect(await leaveOut(planOf())).toEqual({ partitions: ['q1', 'q2'], total: 6, rows: 2_000, edge: -310 })
    expect(await leaveOut(planOf(), 4)).toEqual({ partitions: ['q1'], total: 3, rows: 1_000, edge: -220 })
    expect(await leaveOut(planOf(), 10)).toEqual(NOTHING)
  })

  it('is at the other end of an ascending search', async () => {
    const { ask, leaveOut } = openCounts()
    await ask(ascending)
    await ask(ascending)
    expect(await leaveOut(ascending)).toEqual({ partitions: ['q2', 'q3'], total: 6, rows: 2_000, edge: 110 })
    expect(await leaveOut(planOf())).toEqual(NOTHING)
  })

  it('are quarters of whose records one is as late as the last of the page, not', async () => {
    const { ask, leaveOut } = openCounts({ q1: [100, 310], q2: [309], q3: [310, 320] })
    await ask(planOf())
    await ask(planOf())
    expect(await leaveOut(planOf())).toEqual({ partitions: ['q2'], total: 1, rows: 1_000, edge: -310 })
  })

  it('is told by the places of no more records than were asked for before', async () => {
    const { ask, leaveOut } = openCounts({ q1: [100], q2: [305], q3: [300, 310, 320, 330] })
    await ask(planOf(), 2)
    await ask(planOf(), 2)
    expect(await leaveOut(planOf(), 2)).toEqual({
      partitions: ['q1', 'q2'],
      total: 2,
      rows: 2_000,
      edge: -320,
    })
    // of the third and fourth of q3 it is only known that they are no earlier than 300
    expect(await leaveOut(planOf(), 3)).toEqual({ partitions: ['q1'], total: 1, rows: 1_000, edge: -305 })
  })

  it('is counted within the date range: all of a quarter, none of it, or not left out', async () => {
    const { ask, leaveOut } = openCounts()
    await ask(planOf())
    await ask(planOf())
    // of what is within the range in q3 nothing is known, so the page may be in q2
    expect(await leaveOut(planOf({}, 110, 315))).toEqual(NOTHING)
    expect(await leaveOut(planOf({}, 110, 320))).toEqual({
      partitions: ['q2'],
      total: 3,
      rows: 1_000,
      edge: -310,
    })
    expect(await leaveOut(planOf({}, 100, 250))).toEqual({
      partitions: ['q3', 'q1'],
      total: 3,
      rows: 2_000,
      edge: -210,
    })
    expect(await leaveOut(planOf({}, 400, 500))).toEqual({
      partitions: ['q1', 'q2', 'q3'],
      total: 0,
      rows: 3_000,
      edge: Infinity,
    })
    expect(await leaveOut(planOf({}, 300, 320))).toMatchObject({ partitions: ['q1', 'q2'], total: 0 })
  })

  it('are quarters without a record that matches', async () => {
    const { ask, leaveOut } = openCounts({ ...THREE, q0: [], q2: [] })
    await ask(planOf())
    await ask(planOf())
    expect(await leaveOut(planOf())).toEqual({
      partitions: ['q2', 'q0', 'q1'],
      total: 3,
      rows: 3_000,
      edge: -310,
    })
  })

  it('is no quarter that was written to since, until it has been counted again', async () => {
    const { ask, leaveOut, write, counted } = openCounts()
    await ask(planOf())
    await ask(planOf())
    write('q1', [100, 105, 110, 120])
    expect(await leaveOut(planOf())).toEqual({ partitions: ['q2'], total: 3, rows: 1_000, edge: -310 })
    await ask(planOf())
    expect(counted).toHaveLength(1)
    await ask(planOf())
    expect(counted).toHaveLength(2)
    expect(Object.values(counted[1]?.params ?? {})).toContainEqual(['q1'])
    expect(await leaveOut(planOf())).toEqual({ partitions: ['q1', 'q2'], total: 7, rows: 2_000, edge: -310 })
  })

  it('is no quarter that is written to between two searches', async () => {
    const { ask, leaveOut, write, counted } = openCounts()
    await ask(planOf())
    write('q1', [100])
    await ask(planOf())
    expect(Object.values(counted[0]?.params ?? {})).toContainEqual(['q2', 'q3'])
    expect(await leaveOut(planOf())).toEqual({ partitions: ['q2'], total: 3, rows: 1_000, edge: -310 })
  })

  it('is no quarter that was written to while it was counted', async () => {
    const { ask, leaveOut, write, whileCounting } = openCounts()
    await ask(planOf())
    whileCounting(() => {
      write('q1', [])
    })
    await ask(planOf())
    expect(await leaveOut(planOf())).toEqual({ partitions: ['q2'], total: 3, rows: 1_000, edge: -310 })
  })

  it('is no quarter that came later', async () => {
    const { ask, leaveOut, write } = openCounts()
    await ask(planOf())
    await ask(planOf())
    write('q4', [400])
    expect((await leaveOut(planOf())).partitions).toEqual(['q1', 'q2'])
  })

  it.each([
    ['organization', { environment: { organizationId: 'orgBBBBBBB', mode: 'test' } }],
    ['mode', { environment: { organizationId: 'orgAAAAAAA', mode: 'live' } }],
    ['market', { marketIds: ['marketEURO'] }],
    ['store', { storeId: 'storeAAAAA' }],
    ['status', { statuses: ['draft'] }],
  ])('is nothing of another %s', async (_of, changes) => {
    const { ask, leaveOut } = openCounts()
    await ask(planOf())
    await ask(planOf())
    const { reach } = planOf()
    expect(await leaveOut(planOf({ reach: { ...reach, ...changes } }))).toEqual(NOTHING)
  })

  it('is nothing when the date range is of another date than the sort', async () => {
    const { ask, leaveOut } = openCounts()
    const { reach } = planOf()
    const range = { attribute: attribute('order.created_at'), from: new Date(0), to: new Date(1_000) }
    const plan = planOf({ reach: { ...reach, range } })
    await ask(plan)
    await ask(plan)
    expect(await leaveOut(plan)).toEqual(NOTHING)
  })

  it('is not looked for again within a second', async () => {
    const { counts, ask, clock, counted } = openCounts()
    await ask(planOf())
    clock.advance(0.5)
    counts.note(planOf(), 2)
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve()
    expect(counted).toHaveLength(0)
  })

  it('is forgotten when the engine fails', async () => {
    const { ask, leaveOut, whileCounting, write } = openCounts()
    await ask(planOf())
    await ask(planOf())
    write('q1', [100])
    await ask(planOf())
    whileCounting(() => {
      throw new Error('away')
    })
    await ask(planOf())
    expect(await leaveOut(planOf())).toEqual(NOTHING)
  })

  it('is not looked for within a minute after counting failed', async () => {
    const { ask, clock, counted, whileCounting } = openCounts()
    whileCounting(() => {
      throw new Error('one thread takes too long')
    })
    for (let times = 0; times < 20; times += 1) await ask(planOf())
    expect(counted).toHaveLength(1)
    clock.advance(60)
    await ask(planOf())
    await ask(planOf())
    expect(counted).toHaveLength(2)
  })
})
