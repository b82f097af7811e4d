import { cleanUpAfterEach } from '@merx/testing/clean-up'
import { startDelayProxy } from '@merx/testing/delay-proxy'
import { freshRedis } from '@merx/testing/fresh-redis'
import type { FreshRedis } from '@merx/testing/fresh-redis'
import { startRedisCluster } from '@merx/testing/redis-cluster'
import { startRedisServer } from '@merx/testing/redis-server'
import { createRecordingLogger, silentLogger } from '@merx/testing/silent-logger'
import { Cluster } from 'ioredis'
import { connectRedis } from '../../src/connect-redis.ts'
import { KeyValueUnavailable } from '../../src/key-value.ts'
import { createRedisKeyValue } from '../../src/redis-key-value.ts'
import { describeKeyValue } from '../key-value-cases.ts'

const afterwards = cleanUpAfterEach()

const KEYS = ['a', 'b', 'code', 'empty', 'text']

let redis: FreshRedis
beforeAll(async () => {
  redis = await freshRedis()
})
afterEach(() => redis.client.unlink(KEYS.map((key) => `kv:${key}`)))
afterAll(() => redis.drop())

/** Shortens every life by the time that passes, as Redis has no clock to set. */
const elapse = async (seconds: number): Promise<void> => {
  for (const key of KEYS.map((name) => `kv:${name}`)) {
    const leftMs = await redis.client.pttl(key)
    // PTTL counts down in real time meanwhile; whole seconds are what was asked for.
    if (leftMs > 0) await redis.client.pexpire(key, Math.ceil(leftMs / 1000) * 1000 - seconds * 1000)
  }
}

describeKeyValue('redis key-value', () => ({
  store: createRedisKeyValue({ redis: redis.client, prefix: 'kv:' }),
  elapse,
}))

describe('redis key-value, unavailable', () => {
  it('hangs up on a Redis that leaves a command unanswered, and connects again', async () => {
    const server = await startRedisServer()
    afterwards(() => server.stop())
    const link = await startDelayProxy(server.port)
    afterwards(() => link.close())
    const connection = await connectRedis(`redis://127.0.0.1:${link.port}`, silentLogger)
    afterwards(() => connection.disconnect())
    const store = createRedisKeyValue({ redis: connection, prefix: '' })
    await store.set('a', 'x', { ttlSeconds: 60 })
    const gone = new Promise((resolve) => connection.once('close', resolve))
    link.delay(Infinity)
    await expect(store.get('a')).rejects.toThrow(KeyValueUnavailable)
    await gone
    const back = new Promise((resolve) => connection.once('ready', resolve))
    link.delay(0)
    await back
    expect(await store.get('a')).toBe('x')
  })

  it('says at once that Redis is unavailable, and works again when it is back', async () => {
    const { log, lines } = createRecordingLogger()
    const server = await startRedisServer()
    afterwards(() => server.stop())
    const connection = await connectRedis(server.url, log)
    afterwards(() => connection.disconnect())
    const store = createRedisKeyValue({ redis: connection, prefix: '' })
    await store.set('a', 'x', { ttlSeconds: 60 })
    const gone = new Promise((resolve) => connection.once('close', resolve))
    await server.stop()
    await gone
    await expect(store.get('a')).rejects.toThrow(KeyValueUnavailable)
    await expect(store.take('a')).rejects.toThrow(KeyValueUnavailable)
    const back = new Promise((resolve) => connection.once('ready', resolve))
    const again = await startRedisServer({ port: server.port })
    afterwards(() => again.stop())
    await back
    expect(await store.get('a')).toBeUndefined()
    expect(await store.setIfAbsent('a', 'y', { ttlSeconds: 60 })).toBe(true)
    expect(lines.map((line) => line['msg'])).toEqual([
      'Redis is connected',
      'Redis is unavailable; going on without it',
      'Redis is back',
    ])
  })

  it('starts without Redis', async () => {
    const server = await startRedisServer()
    afterwards(() => server.stop())
    await server.stop()
    const connection = await connectRedis(server.url, silentLogger)
    afterwards(() => connection.disconnect())
    await expect(createRedisKeyValue({ redis: connection, prefix: '' }).get('a')).rejects.toThrow(
      KeyValueUnavailable,
    )
  })
})

describe('redis key-value on a Cluster', () => {
  it('works across slots when several nodes are given', async () => {
    const cluster = await startRedisCluster()
    afterwards(() => cluster.stop())
    const connection = await connectRedis([cluster.url, cluster.url], silentLogger)
    afterwards(() => connection.disconnect())
    expect(connection).toBeInstanceOf(Cluster)
    const store = createRedisKeyValue({ redis: connection, prefix: 'kv:' })
    const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`)
    await Promise.all(keys.map((key) => store.set(key, key, { ttlSeconds: 60 })))
    expect(await Promise.all(keys.map((key) => store.take(key)))).toEqual(keys)
  })
})
