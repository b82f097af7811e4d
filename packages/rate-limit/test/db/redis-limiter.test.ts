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
/** So long that a busy machine is not taken for a Redis that hangs. */
const redisTimeoutMs = 60_000
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
  createLimiter({ redis: redis.client, clock, time: 'clock', scale, keyPrefix, redisTimeoutMs })

/** Of `count` requests at once, sent to the replicas in turn. */
const countAllowed = async (replicas: readonly [Limiter, ...Limiter[]], count: number): Promise<number> => {
  const states = await Promise.all(
    Array.from({ length: count }, async (_, index) =>
      (replicas[index % replicas.length] ?? replicas[0]).consume(token),
    ),
  )
  return states.filter((state) => state.isAllowed).length
}

/** Three limiters, each on a connection of its own, as three processes have them. */
const openReplicas = async (): Promise<readonly [Limiter, Limiter, Limiter]> => {
  const open = async (): Promise<Limiter> => {
    const client = new Redis(redis.url, { keyPrefix: redis.prefix })
    afterwards(() => client.quit())
    await untilReady(client)
    return createLimiter({ redis: client, clock, time: 'clock', keyPrefix, redisTimeoutMs })
  }
  return [onRedis(), await open(), await open()]
}

const untilReady = (client: Redis | Cluster): Promise<unknown> =>
  new Promise((resolve) => client.once('ready', resolve))

describeLimiter('redis limiter', () => ({ clock, limiter: onRedis(), scaled: onRedis }))

describe('redis limiter, shared', () => {
  it('gives replicas one budget together', async () => {
    expect(await countAllowed(await openReplicas(), 100)).toBe(30)
  })

  it("counts in the server's own time by default, whatever the replicas' clocks say", async () => {
    const ahead = createFakeClock('2030-01-01T00:00:00Z')
    const one = createLimiter({ redis: redis.client, clock, keyPrefix, redisTimeoutMs })
    const other = createLimiter({ redis: redis.client, clock: ahead, keyPrefix, redisTimeoutMs })
    expect(await countAllowed([one, other], 40)).toBe(30)
    const { retryAfterSeconds } = await one.consume(token)
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(55)
    expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  it('lets exactly 30 requests through when one replica of three uses the budget up', async () => {
    const [first, second, third] = await openReplicas()
    const inTurn = await countAllowed([first, second, third], 3)
    const byThird = await countAllowed([third], 40)
    const byOthers = await countAllowed([first, second], 20)
    expect([inTurn, byThird, byOthers]).toEqual([3, 27, 0])
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
    expect(await countAllowed([createLimiter({ redis: client, clock, log, redisTimeoutMs })], 40)).toBe(30)
    expect(lines).toEqual([])
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
    const shortly = createLimiter({
      redis: redis.client,
      clock: slightly,
      time: 'clock',
      keyPrefix,
      redisTimeoutMs,
    })
    expect((await shortly.consume(token)).isAllowed).toBe(false)
    const far = createFakeClock(new Date(clock.now().getTime() - 3_600_000))
    const restarted = createLimiter({
      redis: redis.client,
      clock: far,
      time: 'clock',
      keyPrefix,
      redisTimeoutMs,
    })
    expect((await restarted.consume(token)).isAllowed).toBe(true)
  })
})

describe('redis limiter, attempts given back', () => {
  const window = { points: 2, seconds: 60 }

  it('are as if never made, on every replica', async () => {
    const [one, other] = [1, 2].map(() =>
      createKeyLimiter({
        redis: redis.client,
        clock,
        time: 'clock',
        keyPrefix,
        redisTimeoutMs,
        name: 'guess',
        window,
      }),
    )
    await one?.consume('ann')
    await other?.consume('ann')
    expect(await one?.consume('ann')).toEqual({ isAllowed: false, retryAfterSeconds: 60 })
    for (const replica of [one, other, one]) await replica?.giveBack('ann')
    expect(await other?.consume('ann')).toEqual({ isAllowed: true, retryAfterSeconds: 0 })
  })

  it('do not fail while Redis is unavailable', async () => {
    const client = new Redis('redis://127.0.0.1:1', { ...QUICK, lazyConnect: true })
    afterwards(() => client.disconnect())
    const limiter = createKeyLimiter({
      redis: client,
      clock,
      keyPrefix,
      redisTimeoutMs,
      name: 'guess',
      window,
    })
    await limiter.consume('ann')
    await limiter.giveBack('ann')
    const states = [await limiter.consume('ann'), await limiter.consume('ann'), await limiter.consume('ann')]
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false])
  })
})

describe('redis limiter, insurance', () => {
  it('counts by process while Redis is down, and together again when it is back', async () => {
    const server = await startRedisServer()
    afterwards(() => server.stop())
    const client = new Redis(server.url, QUICK)
    client.on('error', () => undefined) // refused reconnections, expected here
    afterwards(() => client.disconnect())
    await untilReady(client)
    const { log, lines } = createRecordingLogger()
    const limiter = createLimiter({ redis: client, clock, time: 'clock', log, keyPrefix, redisTimeoutMs })
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
      'rate limits are per process while Redis is unavailable',
      'rate limits are shared through Redis again',
    ])
  })

  it('does not wait until a Redis that hangs is back', async () => {
    const PAUSE_MS = 600_000 // longer than a test may take
    const server = await startRedisServer()
    afterwards(() => server.stop())
    const client = new Redis(server.url, QUICK)
    afterwards(() => client.disconnect())
    await untilReady(client)
    const limiter = createLimiter({ redis: client, clock, keyPrefix })
    await client.call('CLIENT', 'PAUSE', String(PAUSE_MS))
    for (let sent = 0; sent < 10; sent += 1) expect((await limiter.consume(token)).isAllowed).toBe(true)
  })
})
