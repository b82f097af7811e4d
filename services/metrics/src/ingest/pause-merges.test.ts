import type { Engine } from '../engine/engine.ts'
import { BATCHES_WITHOUT_MERGES, pauseMerges } from './pause-merges.ts'

const NAMES = { orders: 'orders_g2', returns: 'returns_g2' }
const STOP = ['SYSTEM STOP MERGES orders_g2', 'SYSTEM STOP MERGES returns_g2']
const START = ['SYSTEM START MERGES orders_g2', 'SYSTEM START MERGES returns_g2']

const recordingEngine = (sent: string[]): Engine => ({
  run: () => Promise.resolve([]),
  runCounted: () => Promise.resolve({ rows: [], total: 0 }),
  insert: () => Promise.resolve(),
  insertLines: () => Promise.resolve(),
  execute: ({ text }) => {
    sent.push(text)
    return Promise.resolve()
  },
  ping: () => Promise.resolve(),
  close: () => Promise.resolve(),
})

describe('pauseMerges', () => {
  it('resumes merges once when it is ended twice', async () => {
    const sent: string[] = []
    const merges = await pauseMerges(recordingEngine(sent), NAMES)
    expect(sent).toEqual(STOP)
    merges.noteBatch()
    await merges.end()
    await merges.end()
    expect(sent).toEqual([...STOP, ...START])
  })

  it('resumes merges by itself after many batches, before parts pile up', async () => {
    const sent: string[] = []
    const merges = await pauseMerges(recordingEngine(sent), NAMES)
    for (let batch = 1; batch < BATCHES_WITHOUT_MERGES; batch += 1) merges.noteBatch()
    expect(sent).toEqual(STOP)
    merges.noteBatch()
    await merges.end()
    expect(sent).toEqual([...STOP, ...START])
  })

  it('throws when merges could not be resumed', async () => {
    const engine = recordingEngine([])
    const merges = await pauseMerges(engine, NAMES)
    engine.execute = () => Promise.reject(new Error('the engine is gone'))
    for (let batch = 0; batch < BATCHES_WITHOUT_MERGES; batch += 1) merges.noteBatch()
    await expect(merges.end()).rejects.toThrow('the engine is gone')
  })
})
