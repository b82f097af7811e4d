import type { Engine } from './engine.ts'
import { limitConcurrency } from './limit-concurrency.ts'

const statement = { text: '', params: {} }
const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }

/** An engine whose reads end when a test ends them. */
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
  it('limits statements that count their rows, too', async () => {
    const { engine, ends } = createHeldEngine()
    const limited = limitConcurrency(engine, { runningMax: 1, waitingMax: 1 }).forOrganization('a')
    const [first, second] = [limited.runCounted(statement, budget), limited.run(statement, budget)]
    await settle()
    expect(ends).toHaveLength(1)
    await expect(limited.runCounted(statement, budget)).rejects.toMatchObject({
      code: 'metrics_too_busy',
    })
    ends[0]?.()
    expect(await first).toEqual({ rows: [], total: 7 })
    await settle()
    ends[1]?.()
    expect(await second).toEqual([])
  })

  it('runs as many as allowed, the others in order, and refuses more than the waiting room holds', async () => {
    const { engine, ends } = createHeldEngine()
    const limited = limitConcurrency(engine, { runningMax: 2, waitingMax: 1 }).forOrganization('a')
    const reads = [1, 2, 3].map(() => limited.run(statement, budget))
    await settle()
    expect(ends).toHaveLength(2)
    await expect(limited.run(statement, budget)).rejects.toMatchObject({ code: 'metrics_too_busy' })
    ends[0]?.()
    await settle()
    expect(ends).toHaveLength(3)
    ends.forEach((end) => {
      end()
    })
    await expect(Promise.all(reads)).resolves.toHaveLength(3)
  })

  it('frees the place of a read that fails', async () => {
    const { engine } = createHeldEngine()
    const limited = limitConcurrency(
      { ...engine, run: async () => Promise.reject(new Error('broken')) },
      { runningMax: 1, waitingMax: 0 },
    ).forOrganization('a')
    await expect(limited.run(statement, budget)).rejects.toThrow('broken')
    await expect(limited.run(statement, budget)).rejects.toThrow('broken')
  })

  it('drops a waiting read when its caller disconnects', async () => {
    const { engine, ends } = createHeldEngine()
    const limited = limitConcurrency(engine, { runningMax: 1, waitingMax: 1 }).forOrganization('a')
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

  it('does not begin a read for a caller that has disconnected', async () => {
    const { engine, ends } = createHeldEngine()
    const limited = limitConcurrency(engine, { runningMax: 1, waitingMax: 1 }).forOrganization('a')
    await expect(limited.run(statement, budget, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(ends).toHaveLength(0)
  })

  describe('between organizations', () => {
    /** Reads of several organizations, and the order in which they begin. */
    const openShared = (waitingMax: number) => {
      const begun: string[] = []
      const ends: (() => void)[] = []
      const run: Engine['run'] = ({ text }) => {
        begun.push(text)
        return new Promise((resolve) => ends.push(() => resolve([])))
      }
      const limited = limitConcurrency({ ...createHeldEngine().engine, run }, { runningMax: 1, waitingMax })
      const read = (organization: string, text: string) =>
        limited.forOrganization(organization).run({ text, params: {} }, budget)
      const endAll = async () => {
        for (let at = 0; at < ends.length; at += 1) {
          ends[at]?.()
          await settle()
        }
      }
      return { begun, read, endAll }
    }

    it('takes turns, however many reads one of them has', async () => {
      const { begun, read, endAll } = openShared(100)
      const reads = [
        ...['a1', 'a2', 'a3', 'a4'].map((text) => read('a', text)),
        ...['b1', 'b2'].map((text) => read('b', text)),
        read('c', 'c1'),
      ]
      await settle()
      await endAll()
      await Promise.all(reads)
      expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
    })

    it('refuses the newest read of the one that waits most when another one comes', async () => {
      const { begun, read, endAll } = openShared(4)
      const many = ['a1', 'a2', 'a3', 'a4', 'a5'].map((text) =>
        read('a', text).then(
          () => 'done',
          (error: unknown) => (error as { code: string }).code,
        ),
      )
      await settle()
      const others = [read('b', 'b1'), read('b', 'b2')]
      await settle()
      await expect(read('a', 'a6')).rejects.toMatchObject({ code: 'metrics_too_busy' })
      await expect(read('b', 'b3')).rejects.toMatchObject({ code: 'metrics_too_busy' })
      await endAll()
      await Promise.all(others)
      expect(await Promise.all(many)).toEqual([
        'done',
        'done',
        'done',
        'metrics_too_busy',
        'metrics_too_busy',
      ])
      expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
    })
  })
})
