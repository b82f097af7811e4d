import { AppError } from '@merx/errors/app-error'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { Engine } from './engine.ts'
import { createKnownMarkets, type KnownMarketsDeps } from './known-markets.ts'

const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }
const scope = { organizationId: 'o', mode: 'test' } as const

const openMarkets = (engine: ReturnType<KnownMarketsDeps['engineFor']>) => {
  const clock = createFakeClock()
  return { clock, markets: createKnownMarkets({ engineFor: () => engine, clock, budget }) }
}

const createEngine = (answers: (() => Promise<readonly { id: string }[]>)[]) => {
  const asked: unknown[] = []
  const run: Engine['run'] = async ({ params }) => {
    asked.push(params)
    return (await answers.shift()?.()) ?? []
  }
  return { engine: { run }, asked }
}

/** Lets reads in the background finish. */
const settled = () => new Promise(setImmediate)

describe('cached markets', () => {
  it('are the markets of the token when it names some, without a query', async () => {
    const { engine, asked } = createEngine([])
    const { markets } = openMarkets(engine)
    expect(await markets.of({ ...scope, marketIds: ['b', 'a'] })).toEqual(['a', 'b'])
    expect(asked).toEqual([])
  })

  it('are read once in two seconds for each environment', async () => {
    const { engine, asked } = createEngine([
      async () => [{ id: 'a' }],
      async () => [{ id: 'live' }],
      async () => [{ id: 'b' }],
    ])
    const { clock, markets } = openMarkets(engine)
    expect(await markets.of(scope)).toEqual(['a'])
    expect(await markets.of(scope)).toEqual(['a'])
    expect(await markets.of({ ...scope, mode: 'live' })).toEqual(['live'])
    clock.advance(2.1)
    expect(await markets.of(scope)).toEqual(['a'])
    await settled()
    expect(await markets.of(scope)).toEqual(['b'])
    expect(asked).toHaveLength(3)
  })

  it('are stale while they are read again, but for a minute at most', async () => {
    const second = Promise.withResolvers<readonly { id: string }[]>()
    const { engine } = createEngine([
      async () => [{ id: 'a' }],
      () => second.promise,
      async () => [{ id: 'c' }],
    ])
    const { clock, markets } = openMarkets(engine)
    await markets.of(scope)
    clock.advance(30)
    expect(await markets.of(scope)).toEqual(['a'])
    expect(await markets.of(scope)).toEqual(['a'])
    second.resolve([{ id: 'b' }])
    await settled()
    clock.advance(61)
    expect(await markets.of(scope)).toEqual(['c'])
  })

  it('are read again after a failure', async () => {
    const { engine } = createEngine([
      async () => Promise.reject(new Error('unavailable')),
      async () => [{ id: 'a' }],
    ])
    const { markets } = openMarkets(engine)
    await expect(markets.of(scope)).rejects.toThrow('unavailable')
    expect(await markets.of(scope)).toEqual(['a'])
  })

  it('are read less often when reading takes longer', async () => {
    const { engine, asked } = createEngine([
      async () => {
        clock.advance(0.2)
        return [{ id: 'a' }]
      },
      async () => [{ id: 'b' }],
    ])
    const { clock, markets } = openMarkets(engine)
    await markets.of(scope)
    clock.advance(9)
    await markets.of(scope)
    expect(asked).toHaveLength(1)
    clock.advance(1.1)
    await markets.of(scope)
    expect(asked).toHaveLength(2)
  })

  it.each(['metrics_query_timeout', 'metrics_query_too_large'] as const)(
    'are unavailable when reading them exceeds the budget: %s',
    async (code) => {
      const { engine } = createEngine([() => Promise.reject(new AppError(code)), async () => [{ id: 'a' }]])
      const { markets } = openMarkets(engine)
      await expect(markets.of(scope)).rejects.toMatchObject({ code: 'metrics_engine_unavailable' })
      expect(await markets.of(scope)).toEqual(['a'])
    },
  )
})
