/** The parts that start processes and send requests, together, on a target that only answers. */
import { cleanUpAfterEach } from '@merx/testing/clean-up'
import { recordAnswer, startBareExpress, type RecordedAnswer } from './bare-express.ts'
import { withContext } from './bench.ts'
import { always, runClosedLoop, type Caller } from './closed-loop.ts'
import { compare } from './compare.ts'
import type { LoadRequest } from './exchange.ts'
import { measureMemoryGrowth } from './memory-growth.ts'
import { runOpenLoop } from './open-loop.ts'
import { startTarget, type Target } from './target.ts'

const afterwards = cleanUpAfterEach()

const ANSWER: RecordedAnswer = {
  method: 'POST',
  path: '/token',
  status: 200,
  headers: { 'content-type': 'application/json', 'x-of-ours': 'yes' },
  body: '{"answer":42}',
}
const REQUEST: LoadRequest = { method: 'POST', path: '/token', body: '{}' }
const NOWHERE: LoadRequest = { method: 'GET', path: '/nowhere' }

const startBare = async (): Promise<Target> => {
  const bare = await startBareExpress([ANSWER])
  afterwards(bare.stop)
  return bare
}

describe('a bare Express application', () => {
  it('answers what was recorded, byte for byte', async () => {
    const bare = await startBare()
    expect(await recordAnswer(bare.url, REQUEST)).toEqual({
      ...ANSWER,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-of-ours': 'yes' },
    })
  })

  it('is not built from an answer that is an error', async () => {
    const bare = await startBare()
    await expect(recordAnswer(bare.url, NOWHERE)).rejects.toThrow('GET /nowhere answers 404')
  })
})

describe('a target', () => {
  it('reports its memory, processor time and lag, and ends on request', async () => {
    const bare = await startBare()
    const sample = await bare.sample(true)
    expect(sample.rssBytes).toBeGreaterThan(10_000_000)
    expect(sample.heapUsedBytes).toBeGreaterThan(1_000_000)
    expect(sample.cpuMs).toBeGreaterThan(0)
    expect(sample.lagP99Ms).toBeGreaterThanOrEqual(0)
    await bare.stop()
    await bare.stop()
    await expect(recordAnswer(bare.url, REQUEST)).rejects.toThrow()
  })

  it('that cannot start says why, and nothing is left running', async () => {
    const program = new URL('./test-programs/fails.ts', import.meta.url)
    await expect(startTarget({ name: 'broken', program })).rejects.toThrow(
      /the target broken did not start: .*no database here/,
    )
  })

  it('that ends by itself is missed at once', async () => {
    const program = new URL('./test-programs/exits.ts', import.meta.url)
    await expect(startTarget({ name: 'short', program })).rejects.toThrow(
      'the target short ended with code 3',
    )
  })
})

describe('a closed loop', () => {
  it('sends on each connection the next request when the last was answered', async () => {
    const bare = await startBare()
    const heard: string[] = []
    const callerOf = (connection: number): Caller => ({
      next: () => REQUEST,
      onAnswer: ({ body = '' }) => heard.push(`${connection} ${body}`),
    })
    const result = await runClosedLoop({
      url: bare.url,
      callerOf,
      connections: 2,
      seconds: 30,
      requestsMax: 20,
    })
    expect(result).toMatchObject({ requests: 20, failures: 0 })
    expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms)
    expect(new Set(heard)).toEqual(new Set(['0 {"answer":42}', '1 {"answer":42}']))
  })

  it('refuses to measure errors', async () => {
    const bare = await startBare()
    const load = { url: bare.url, callerOf: always(NOWHERE), connections: 1, seconds: 30, requestsMax: 5 }
    await expect(runClosedLoop(load)).rejects.toThrow(/5 of 5 requests failed; the first: status 404/)
  })
})

describe('a comparison', () => {
  it('measures alternatives in turn and judges the middle ratio', async () => {
    const [reference, other] = [await startBare(), await startBare()]
    const callerOf = always(REQUEST)
    const { alternatives } = await compare({
      name: 'the same twice',
      rounds: 3,
      roundSeconds: 0.1,
      warmUpSeconds: 0.1,
      connections: 2,
      alternatives: [
        { name: 'reference', target: reference, callerOf },
        { name: 'easy', target: other, callerOf, ratioMin: 0.000_1 },
        { name: 'impossible', target: other, callerOf, ratioMin: 1_000 },
      ],
    })
    expect(alternatives.map(({ name, isMet }) => [name, isMet])).toEqual([
      ['reference', true],
      ['easy', true],
      ['impossible', false],
    ])
    expect(alternatives[0]?.ratio).toEqual({ median: 1, min: 1, max: 1 })
    expect(alternatives[1]?.rounds).toHaveLength(3)
  })

  it('of two rounds is refused', async () => {
    const alternative = { name: 'x', target: {} as Target, callerOf: always(REQUEST) }
    await expect(compare({ name: 'short', rounds: 2, alternatives: [alternative] })).rejects.toThrow(
      'at least 3 rounds',
    )
  })
})

describe('an open loop', () => {
  it('offers the given rate second by second, and counts every request once', async () => {
    const target = await startBare()
    const operations = [
      { name: 'good', weight: 3, callerOf: always(REQUEST) },
      { name: 'bad', weight: 1, callerOf: always(NOWHERE) },
    ]
    const timeline = await runOpenLoop({
      target,
      operations,
      seconds: 2,
      rateAt: (second) => (second < 1 ? 40 : 80),
    })
    expect(timeline.seconds.map(({ second, offered }) => [second, offered])).toEqual([
      [0, 40],
      [1, 80],
    ])
    const [good, bad] = ['good', 'bad'].map((name) => timeline.operations.find((each) => each.name === name))
    expect(good).toMatchObject({ failures: 0 })
    expect(bad).toMatchObject({ answered: 0 })
    expect((good?.answered ?? 0) + (bad?.failures ?? 0)).toBe(120)
    expect(timeline.failure).toMatch(/^bad: status 404/)
  })

  it('counts what it may not send as failed', async () => {
    const target = await startBare()
    const operations = [{ name: 'all', weight: 1, callerOf: always(REQUEST) }]
    const timeline = await runOpenLoop({
      target,
      operations,
      seconds: 0.2,
      rateAt: () => 5_000,
      inFlightMax: 1,
    })
    expect(timeline.failure).toBe('all: not sent: 1 requests were under way')
  })
})

describe('growth of memory', () => {
  it('is measured at points spread over the requests', async () => {
    const target = await startBare()
    const { points } = await measureMemoryGrowth({
      target,
      callerOf: always(REQUEST),
      requests: 60,
      points: 3,
      settleMs: 0,
      connections: 2,
    })
    expect(points.map(({ requests }) => requests)).toEqual([20, 40, 60])
  })
})

describe('what a benchmark opens', () => {
  it('is closed, the last first, also when it fails', async () => {
    const closed: string[] = []
    const run = withContext(
      () => undefined,
      async ({ defer }) => {
        for (const name of ['first', 'second']) defer(async () => closed.push(name))
        throw new Error('broken')
      },
    )
    await expect(run).rejects.toThrow('broken')
    expect(closed).toEqual(['second', 'first'])
  })
})
