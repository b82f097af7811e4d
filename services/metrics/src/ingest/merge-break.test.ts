import type { Engine } from '../engine/engine.ts'
import { BATCHES_WITHOUT_MERGES, takeMergeBreak } from './merge-break.ts'

const NAMES = { orders: 'orders_g2', returns: 'returns_g2' }
const STOP = ['SYSTEM STOP MERGES orders_g2', 'SYSTEM STOP MERGES returns_g2']
const START = ['SYSTEM START MERGES orders_g2', 'SYSTEM START MERGES returns_g2']

const engineThatNotes = (told: string[], insertBlocks?: Engine['insertBlocks']): Engine => ({
  run: () => Promise.resolve([]),
  runCounted: () => Promise.resolve({ rows: [], total: 0 }),
  insert: () => Promise.resolve(),
  insertLines: () => Promise.resolve(),
  execute: ({ text }) => {
    told.push(text)
    return Promise.resolve()
  },
  ping: () => Promise.resolve(),
  close: () => Promise.resolve(),
  ...(insertBlocks === undefined ? {} : { insertBlocks }),
})

const embedded = (told: string[]): Engine => engineThatNotes(told, () => Promise.resolve())

describe('a break from merges', () => {
  it('lasts until it is ended, once', async () => {
    const told: string[] = []
    const merges = await takeMergeBreak(embedded(told), NAMES)
    expect(told).toEqual(STOP)
    merges.noteBatch()
    await merges.end()
    await merges.end()
    expect(told).toEqual([...STOP, ...START])
  })

  it('ends by itself after many batches, before parts pile up', async () => {
    const told: string[] = []
    const merges = await takeMergeBreak(embedded(told), NAMES)
    for (let batch = 1; batch < BATCHES_WITHOUT_MERGES; batch += 1) merges.noteBatch()
    expect(told).toEqual(STOP)
    merges.noteBatch()
    await merges.end()
    expect(told).toEqual([...STOP, ...START])
  })

  it('is not taken on a server', async () => {
    const told: string[] = []
    const merges = await takeMergeBreak(engineThatNotes(told), NAMES)
    await merges.end()
    expect(told).toEqual([])
  })

  it('tells who ends it that merges could not go on', async () => {
    const engine = embedded([])
    const merges = await takeMergeBreak(engine, NAMES)
    engine.execute = () => Promise.reject(new Error('the engine is gone'))
    for (let batch = 0; batch < BATCHES_WITHOUT_MERGES; batch += 1) merges.noteBatch()
    await expect(merges.end()).rejects.toThrow('the engine is gone')
  })
})
