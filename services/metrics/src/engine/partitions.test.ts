import type { Row } from './engine.ts'
import { createPartitions } from './partitions.ts'

const part = (id: string, rows: string, state: string): Row => ({ id, rows, state })

const openPartitions = (answers: readonly (readonly Row[])[], hasWrites = true) => {
  const asked: unknown[] = []
  const written = { count: 0 }
  const run = async (statement: { readonly params: unknown }): Promise<readonly Row[]> => {
    asked.push(statement.params)
    return answers[asked.length - 1] ?? []
  }
  const partitions = createPartitions(hasWrites ? { writes: () => written.count } : {})
  return { now: (table = 'orders') => partitions.now(table, run), asked, written }
}

const FIRST = [part('20241', '10', '77')]
const SECOND = [part('20241', '12', '78')]

describe('partitions of a table', () => {
  it('are read once while nothing is written', async () => {
    const { now, asked, written } = openPartitions([FIRST, SECOND])
    expect(await now()).toEqual([{ id: '20241', rows: 10, state: '77' }])
    expect(await now()).toEqual([{ id: '20241', rows: 10, state: '77' }])
    expect(asked).toEqual([{ table: 'orders' }])
    written.count += 2
    expect(await now()).toEqual([{ id: '20241', rows: 12, state: '78' }])
    expect(asked).toHaveLength(2)
  })

  it('are read each time while a write is under way, as it may be seen before it has ended', async () => {
    const { now, asked, written } = openPartitions([FIRST, FIRST, SECOND, SECOND])
    await now()
    written.count += 1
    expect(await now()).toEqual([{ id: '20241', rows: 10, state: '77' }])
    expect(await now()).toEqual([{ id: '20241', rows: 12, state: '78' }])
    written.count += 1
    await now()
    await now()
    expect(asked).toHaveLength(4)
  })

  it('are of one table', async () => {
    const { now, asked } = openPartitions([FIRST, SECOND])
    await now()
    expect(await now('returns')).toEqual([{ id: '20241', rows: 12, state: '78' }])
    expect(asked).toEqual([{ table: 'orders' }, { table: 'returns' }])
  })

  it('that were read while something was written are read again', async () => {
    const written = { count: 0 }
    const partitions = createPartitions({ writes: () => written.count })
    let reads = 0
    const run = async (): Promise<readonly Row[]> => {
      reads += 1
      if (reads === 1) written.count += 2
      return FIRST
    }
    await partitions.now('orders', run)
    await partitions.now('orders', run)
    await partitions.now('orders', run)
    expect(reads).toBe(2)
  })

  it('are read each time where others write, too', async () => {
    const { now, asked } = openPartitions([FIRST, SECOND], false)
    await now()
    expect(await now()).toEqual([{ id: '20241', rows: 12, state: '78' }])
    expect(asked).toHaveLength(2)
  })
})
