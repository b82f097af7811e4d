import { createFakeClock } from '@merx/testing/fake-clock'
import type { Engine } from './engine.ts'
import { createKnownMarkets } from './known-markets.ts'

const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }
const scope = { organizationId: 'o', mode: 'test' } as const

const createEngine = (answers: (() => Promise<readonly { id: string }[]>)[]) => {
  const asked: unknown[] = []
  const run: Engine['run'] = async ({ params }) => {
    asked.push(params)
    return (await answers.shift()?.()) ?? []
  }
  return { engine: { run } as Engine, asked }
}

describe('known markets', () => {
  it('are those of the token when it is limited to some, without a query', async () => {
    const { engine, asked } = createEngine([])
    const markets = createKnownMarkets(engine, createFakeClock(), budget)
    expect(await markets.of({ ...scope, marketIds: ['b', 'a'] })).toEqual(['a', 'b'])
    expect(asked).toEqual([])
  })

  it('are read once in two seconds for each environment', async () => {
    const { engine, asked } = createEngine([
      async () => [{ id: 'a' }],
      async () => [{ id: 'live' }],
      async () => [{ id: 'b' }],
    ])
    const clock = createFakeClock()
    const markets = createKnownMarkets(engine, clock, budget)
    expect(await markets.of(scope)).toEqual(['a'])
    expect(await markets.of(scope)).toEqual(['a'])
    expect(await markets.of({ ...scope, mode: 'live' })).toEqual(['live'])
    clock.advance(2.1)
    expect(await markets.of(scope)).toEqual(['a'])
    expect(await markets.of(scope)).toEqual(['b'])
    expect(asked).toHaveLength(3)
  })

  it('make nobody wait while they are read again, but after a minute', async () => {
    const second = Promise.withResolvers<readonly { id: string }[]>()
    const { engine } = createEngine([
      async () => [{ id: 'a' }],
      () => second.promise,
      async () => [{ id: 'c' }],
    ])
    const clock = createFakeClock()
    const markets = createKnownMarkets(engine, clock, budget)
    await markets.of(scope)
    clock.advance(30)
    expect(await markets.of(scope)).toEqual(['a'])
    expect(await markets.of(scope)).toEqual(['a'])
    second.resolve([{ id: 'b' }])
    await second.promise
    await Promise.resolve()
    clock.advance(61)
    expect(await markets.of(scope)).toEqual(['c'])
  })

  it('are asked again after a failure', async () => {
    const { engine } = createEngine([
      async () => Promise.reject(new Error('away')),
      async () => [{ id: 'a' }],
    ])
    const markets = createKnownMarkets(engine, createFakeClock(), budget)
    await expect(markets.of(scope)).rejects.toThrow('away')
    expect(await markets.of(scope)).toEqual(['a'])
  })
})
