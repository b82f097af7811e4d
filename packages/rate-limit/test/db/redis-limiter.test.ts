import { cleanUpAfterEach } from '@merx/testing/clean-up'
import { createFakeClock } from '@merx/testing/fake-clock'
import type { FakeClock } from '@merx/testing/fake-clock'
import { freshRedis } from '@merx/testing/fresh-redis'
import type { FreshRedis } from '@merx/testing/fresh-redis'
import { startRedisCluster } from '@merx/testing/redis-cluster'
import { startRedisServer } from '@merx/testing/redis-server'
import { createRecordingLogger } from '@merx/testing/silent-logger'
import { Cluster, Redis } from 'ioredis'
import { createKeyLimiter, createLimiter } from '../../src/create-limiter.ts'
import type { LimitedRequest, Limiter } from '../../src/create-limiter.ts'
import { describeLimiter } from '../limiter-cases.ts'

const afterwards = cleanUpAfterEach()
const token: LimitedRequest = { class: 'token', mode: 'live', ip: '203.0.113.7', endpoint: '/oauth/token' }
const QUICK = { maxRetriesPerRequest: 1, enableOfflineQueue: false, retryStrategy: () => 20 }

let redis: FreshRedis
let clock: FakeClock
let keyPrefix: string
let nextPrefix = 0

beforeAll(async () => {
  redis = await freshRedis()
})
beforeEach(() => {
  clock = createFakeClock()
  nextPrefix += 1
  keyPrefix = `limit-${nextPrefix}`
})
afterAll(() => redis.drop())

const onRedis = (scale = 1): Limiter =>
  createLimiter({ redis: redis.client, clock, time: 'clock', scale, keyPrefix })

/** Of `count` requests at once, sent to the replicas in turn. */
const countAllowed = async (replicas: readonly [Limiter, ...Limiter[]], count: number): Promise<number> => {
  const states = await Promise.all(
    Array.from({ length: count }, async (_, index) =>
      (replicas[index % replicas.length] ?? replicas[0]).consume(token),
    ),
  )
  return states.filter((state) => state.isAllowed).length
}

const untilReady = (client: Redis | Cluster): Promise<unknown> =>
  new Promise((resolve) => client.once('ready', resolve))

describeLimiter('redis limiter', () => ({ clock, limiter: onRedis(), scaled: onRedis }))

describe('redis limiter, shared', () => {
  it('gives replicas one budget together', async () => {
    const other = new Redis(redis.url, { keyPrefix: redis.prefix })
    afterwards(() => other.quit())
    await untilReady(other)
    const replicas = [onRedis(), createLimiter({ redis: other, clock, time: 'clock', keyPrefix })] as const
    expect(await countAllowed(replicas, 100)).toBe(30)
  })

  it("counts in the server's own time unless told otherwise, whatever the replicas' clocks say", async () => {
    const ahead = createFakeClock('2030-01-01T00:00:00Z')
    const one = createLimiter({ redis: redis.client, clock, keyPrefix })
    const other = createLimiter({ redis: redis.client, clock: ahead, keyPrefix })
    expect(await countAllowed([one, other], 40)).toBe(30)
    const { retryAfterSeconds } = await one.consume(token)
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(55)
    expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  it('counts what comes in one turn with one command, and answers each as if alone', async () => {
    const { client } = redis
    const limiter = onRedis()
    await limiter.consume(token)
    const sent: string[] = []
    const send = client.sendCommand.bind(client)
    client.sendCommand = (command, stream) => {
      sent.push(command.name)
      return send(command, stream)
    }
    afterwards(() => Reflect.deleteProperty(client, 'sendCommand'))
    const states = await Promise.all(Array.from({ length: 35 }, async () => limiter.consume(token)))
    // Three are admitted ahead of Redis, and told with one command before the others are counted with one.
    expect(sent).toEqual(['evalsha', 'evalsha'])
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual(states.map((_state, index) => index < 29))
    expect(states.map(({ remaining }) => remaining)).toEqual(
      states.map((_state, index) => Math.max(0, 28 - index)),
    )
  })

  it('survives the loss of its scripts', async () => {
    const limiter = onRedis()
    await limiter.consume(token)
    await redis.client.script('FLUSH')
    expect(await countAllowed([limiter], 40)).toBe(29)
  })

  it('works on a Cluster', async () => {
    const cluster = await startRedisCluster()
    afterwards(() => cluster.stop())
    const client = new Cluster([cluster.url])
    afterwards(() => client.disconnect())
    await untilReady(client)
    const { log, lines } = createRecordingLogger()
    expect(await countAllowed([createLimiter({ redis: client, clock, log })], 40)).toBe(30)
    expect(lines).toEqual([])
  })
})

describe('redis limiter, ahead of Redis', () => {
  const onReplicas = async (): Promise<readonly [Limiter, Limiter]> => {
    const other = new Redis(redis.url, { keyPrefix: redis.prefix })
    afterwards(() => other.quit())
    await untilReady(other)
    return [onRedis(), createLimiter({ redis: other, clock, time: 'clock', keyPrefix })]
  }

  const isAtOnce = (limiter: Limiter): boolean => !(limiter.consume(token) instanceof Promise)

  it('answers at once while a key is known to be far under its budget, and exactly otherwise', async () => {
    const limiter = onRedis()
    expect(isAtOnce(limiter)).toBe(false) // nothing is known yet
    await limiter.consume(token)
    expect([1, 2, 3, 4].map(() => isAtOnce(limiter))).toEqual([true, true, true, false])
    await limiter.consume(token)
    expect(isAtOnce(limiter)).toBe(true)
    clock.advance(1.001)
    expect(isAtOnce(limiter)).toBe(false) // what is known is too old
    await countAllowed([limiter], 6)
    expect(isAtOnce(limiter)).toBe(false) // half of the budget is used
  })

  it('tells Redis within milliseconds, at the time it was', async () => {
    const limiter = onRedis()
    await limiter.consume(token)
    const takenAt = clock.now().getTime() + 500
    clock.advance(0.5)
    expect([isAtOnce(limiter), isAtOnce(limiter)]).toEqual([true, true])
    clock.advance(0.4)
    expect(isAtOnce(limiter)).toBe(true)
    const key = `${keyPrefix}:token:live:average:${token.ip ?? ''}`
    while ((await redis.client.zcard(key)) < 4) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(await redis.client.zcount(key, takenAt * 1_000, takenAt * 1_000)).toBe(2)
    const { remaining } = await limiter.consume(token)
    expect(remaining).toBe(25)
  })

  it('admits at most a tenth of the budget too much for each further replica', async () => {
    const replicas = await onReplicas()
    for (const replica of replicas) await replica.consume(token)
    expect(await countAllowed(replicas, 100)).toBeLessThanOrEqual(28 + 3)
    expect(await countAllowed(replicas, 20)).toBe(0)
  })

  it('stays exact on one replica, whatever is admitted ahead', async () => {
    const limiter = onRedis()
    let allowed = 0
    for (let round = 0; round < 20; round += 1) {
      allowed += await countAllowed([limiter], 1 + (round % 4))
      clock.advance(0.1)
    }
    expect(allowed).toBe(30)
  })

  it('asks Redis about every request of a key that other replicas use up', async () => {
    const [one, other] = await onReplicas()
    await one.consume(token)
    await countAllowed([other], 29)
    clock.advance(1.001)
    expect((await one.consume(token)).isAllowed).toBe(false)
  })
})

describe('redis limiter, state', () => {
  const key = (): string => `${keyPrefix}:token:live:average:${token.ip ?? ''}`

  it('keeps no more entries than the budget has points, and none longer than the window', async () => {
    await countAllowed([onRedis()], 500)
    expect(await redis.client.zcard(key())).toBe(30)
    const leftMs = await redis.client.pttl(key())
    expect(leftMs).toBeGreaterThan(50_000)
    expect(leftMs).toBeLessThanOrEqual(60_000)
  })

  it('drops what left the window', async () => {
    const limiter = onRedis()
    await countAllowed([limiter], 20)
    clock.advance(60)
    await limiter.consume(token)
    expect(await redis.client.zcard(key())).toBe(1)
  })

  it('takes a server clock that went back as standing still, and one far back as a new start', async () => {
    await countAllowed([onRedis()], 30)
    const slightly = createFakeClock(new Date(clock.now().getTime() - 30_000))
    const shortly = createLimiter({ redis: redis.client, clock: slightly, time: 'clock', keyPrefix })
    expect((await shortly.consume(token)).isAllowed).toBe(false)
    const far = createFakeClock(new Date(clock.now().getTime() - 3_600_000))
    const anew = createLimiter({ redis: redis.client, clock: far, time: 'clock', keyPrefix })
    expect((await anew.consume(token)).isAllowed).toBe(true)
  })
})

describe('redis limiter, attempts given back', () => {
  const window = { points: 2, seconds: 60 }

  it('are as if never made, on every replica', async () => {
    const [one, other] = [1, 2].map(() =>
      createKeyLimiter({ redis: redis.client, clock, time: 'clock', keyPrefix, name: 'guess', window }),
    )
    await one?.consume('ann')
    await other?.consume('ann')
    expect(await one?.consume('ann')).toEqual({ isAllowed: false, retryAfterSeconds: 60 })
    for (const replica of [one, other, one]) await replica?.giveBack('ann')
    expect(await other?.consume('ann')).toEqual({ isAllowed: true, retryAfterSeconds: 0 })
  })

  it('do not fail while Redis is away', async () => {
    const client = new Redis('redis://127.0.0.1:1', { ...QUICK, lazyConnect: true })
    afterwards(() => client.disconnect())
    const limiter = createKeyLimiter({ redis: client, clock, keyPrefix, name: 'guess', window })
    await limiter.consume('ann')
    await limiter.giveBack('ann')
    const states = [await limiter.consume('ann'), await limiter.consume('ann'), await limiter.consume('ann')]
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false])
  })
})

describe('redis limiter, insurance', () => {
  it('goes on per process when Redis is killed mid-way, and shares again when it is back', async () => {
    const server = await startRedisServer()
    afterwards(() => server.stop())
    const client = new Redis(server.url, QUICK)
    client.on('error', () => undefined) // refused reconnections, expected here
    afterwards(() => client.disconnect())
    await untilReady(client)
    const { log, lines } = createRecordingLogger()
    const limiter = createLimiter({ redis: client, clock, time: 'clock', log, keyPrefix })
    expect(await countAllowed([limiter], 10)).toBe(10)

    await server.stop()
    expect(await countAllowed([limiter], 40)).toBe(30) // no request fails; this process has its own count now
    clock.advance(0.5)
    expect(await limiter.consume(token)).toMatchObject({ isAllowed: false, remaining: 0, limit: 30 })

    const ready = untilReady(client)
    const again = await startRedisServer({ port: server.port })
    afterwards(() => again.stop())
    await ready
    clock.advance(1) // the pause after a failure
    expect(await countAllowed([limiter], 40)).toBe(30)
    expect(await client.zcard(`${keyPrefix}:token:live:average:203.0.113.7`)).toBe(30)
    expect(lines.map((line) => line['msg'])).toEqual([
      'rate limits are per process while Redis is away',
      'rate limits are shared through Redis again',
    ])
  })

  it('waits for a Redis that hangs only once, and briefly', async () => {
    const server = await startRedisServer()
    afterwards(() => server.stop())
    const client = new Redis(server.url, QUICK)
    afterwards(() => client.disconnect())
    await untilReady(client)
    const limiter = createLimiter({ redis: client, clock, keyPrefix })
    await client.call('CLIENT', 'PAUSE', '20000')
    const started = performance.now()
    for (let sent = 0; sent < 10; sent += 1) expect((await limiter.consume(token)).isAllowed).toBe(true)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
