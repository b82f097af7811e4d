import type { Engine } from './engine.ts'
import { limitConcurrency } from './limit-concurrency.ts'

const statement = { text: '', params: {} }
const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }

/** An engine whose reads end when told. */
const createHeldEngine = () => {
  const ends: (() => void)[] = []
  const engine: Engine = {
    run: () =>
      new Promise((resolve) => {
        ends.push(() => {
          resolve([])
        })
      }),
    runCounted: () =>
      new Promise((resolve) => {
        ends.push(() => {
          resolve({ rows: [], total: 7 })
        })
      }),
    insert: async () => undefined,
    insertLines: async () => undefined,
    execute: async () => undefined,
    ping: async () => undefined,
    close: async () => undefined,
  }
  return { engine, ends }
}

const settle = () => new Promise(setImmediate)

describe('limitConcurrency', () => {
  it('counts a statement that is counted as one, too', async () => {
    const { engine, ends } = createHeldEngine()
    const limited = limitConcurrency(engine, { runningMax: 1, waitingMax: 1 })
    const [first, second] = [limited.runCounted(statement, budget), limited.run(statement, budget)]
    await settle()
    expect(ends).toHaveLength(1)
    await expect(limited.runCounted(statement, budget)).rejects.toMatchObject({
      code: 'metrics_engine_unavailable',
    })
    ends[0]?.()
    expect(await first).toEqual({ rows: [], total: 7 })
    await settle()
    ends[1]?.()
    expect(await second).toEqual([])
  })

  it('runs as many as allowed, the others in order, and refuses what is beyond the queue', async () => {
    const { engine, ends } = createHeldEngine()
    const limited = limitConcurrency(engine, { runningMax: 2, waitingMax: 1 })
    const reads = [1, 2, 3].map(() => limited.run(statement, budget))
    await settle()
    expect(ends).toHaveLength(2)
    await expect(limited.run(statement, budget)).rejects.toMatchObject({ code: 'metrics_engine_unavailable' })
    ends[0]?.()
    await settle()
    expect(ends).toHaveLength(3)
    ends.forEach((end) => {
      end()
    })
    await expect(Promise.all(reads)).resolves.toHaveLength(3)
  })

  it('frees its place when a read fails', async () => {
    const { engine } = createHeldEngine()
    const limited = limitConcurrency(
      { ...engine, run: async () => Promise.reject(new Error('broken')) },
      { runningMax: 1, waitingMax: 0 },
    )
    await expect(limited.run(statement, budget)).rejects.toThrow('broken')
    await expect(limited.run(statement, budget)).rejects.toThrow('broken')
  })

  it('lets one leave the queue when its caller goes away', async () => {
    const { engine, ends } = createHeldEngine()
    const limited = limitConcurrency(engine, { runningMax: 1, waitingMax: 1 })
    void limited.run(statement, budget)
    const gone = new AbortController()
    const left = limited.run(statement, budget, gone.signal)
    await settle()
    gone.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    void limited.run(statement, budget)
    ends[0]?.()
    await settle()
    expect(ends).toHaveLength(2)
  })

  it('does not begin for a caller that is gone already', async () => {
    const { engine, ends } = createHeldEngine()
    const limited = limitConcurrency(engine, { runningMax: 1, waitingMax: 1 })
    await expect(limited.run(statement, budget, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(ends).toHaveLength(0)
  })
})
