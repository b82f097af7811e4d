import { AppError } from '@merx/errors/app-error'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { Engine } from './engine.ts'
import { createKnownMarkets, type KnownMarketsDeps } from './known-markets.ts'
import type { TableRows } from './known-parts.ts'

const budget = { timeoutMs: 1, memoryBytesMax: 1, groupsMax: 1, rowsMax: 1 }
const scope = { organizationId: 'o', mode: 'test' } as const

/** Tells `state` of the table at each moment; nothing when there is none. */
const openMarkets = (
  engine: KnownMarketsDeps['engine'],
  state: () => string | undefined = () => undefined,
) => {
  const clock = createFakeClock()
  const rowsOf = (): TableRows => ({
    all: 1,
    scattered: 0,
    spanMs: 0,
    state: state(),
    asOfMs: clock.now().getTime(),
  })
  return { clock, markets: createKnownMarkets({ engine, clock, budget, parts: { rowsOf } }) }
}

const createEngine = (answers: (() => Promise<readonly { id: string }[]>)[]) => {
  const asked: unknown[] = []
  const run: Engine['run'] = async ({ params }) => {
    asked.push(params)
    return (await answers.shift()?.()) ?? []
  }
  return { engine: { run, quiet: async () => undefined }, asked }
}

/** What is read in the background has come. */
const settled = () => new Promise(setImmediate)

describe('known markets', () => {
  it('are those of the token when it is limited to some, without a query', async () => {
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

  it('make nobody wait while they are read again, but after a minute', async () => {
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
    const { markets } = openMarkets(engine)
    await expect(markets.of(scope)).rejects.toThrow('away')
    expect(await markets.of(scope)).toEqual(['a'])
  })

  it('are not read again while nothing was written', async () => {
    let state = '1'
    const { engine, asked } = createEngine([async () => [{ id: 'a' }], async () => [{ id: 'b' }]])
    const { clock, markets } = openMarkets(engine, () => state)
    await markets.of(scope)
    clock.advance(3_600)
    expect(await markets.of(scope)).toEqual(['a'])
    expect(asked).toHaveLength(1)
    state = '2'
    expect(await markets.of(scope)).toEqual(['b'])
    expect(asked).toHaveLength(2)
  })

  it('are waited for when it is a minute ago that anything was known of the table', async () => {
    const { engine } = createEngine([async () => [{ id: 'a' }], async () => [{ id: 'b' }]])
    const clock = createFakeClock()
    const rows = { all: 1, scattered: 0, spanMs: 0, state: '1', asOfMs: clock.now().getTime() }
    const markets = createKnownMarkets({ engine, clock, budget, parts: { rowsOf: () => rows } })
    await markets.of(scope)
    clock.advance(61)
    expect(await markets.of(scope)).toEqual(['b'])
  })

  it('are read the less often the longer that takes', async () => {
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

  it('are read again when no query runs, and at once for those who wait for them', async () => {
    const { engine, asked } = createEngine([async () => [{ id: 'a' }], async () => [{ id: 'b' }]])
    const quiet = Promise.withResolvers<undefined>()
    const { clock, markets } = openMarkets({ ...engine, quiet: () => quiet.promise })
    expect(await markets.of(scope)).toEqual(['a'])
    clock.advance(3)
    expect(await markets.of(scope)).toEqual(['a'])
    expect(asked).toHaveLength(1)
    quiet.resolve(undefined)
    await settled()
    expect(asked).toHaveLength(2)
    expect(await markets.of(scope)).toEqual(['b'])
  })

  it.each(['metrics_query_timeout', 'metrics_query_too_large'] as const)(
    'are unavailable when reading them is beyond the budget (%s): no query of the caller is to blame',
    async (code) => {
      const { engine } = createEngine([() => Promise.reject(new AppError(code)), async () => [{ id: 'a' }]])
      const { markets } = openMarkets(engine)
      await expect(markets.of(scope)).rejects.toMatchObject({ code: 'metrics_engine_unavailable' })
      expect(await markets.of(scope)).toEqual(['a'])
    },
  )
})
